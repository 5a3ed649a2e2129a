#![allow(warnings)]
use mtb_core::*;
fn main(){
 for round in 0..2 {
 let mut n=0; let mut bad=0; let mut all=0u128; let mut times=vec![];
 let mut files: Vec<_> = std::fs::read_dir("../shared/catalogues").unwrap().map(|e|e.unwrap().path()).collect(); files.sort();
 for f in files { let name=f.file_name().unwrap().to_string_lossy().into_owned(); if name=="index.json"||name.contains("bfcl"){continue}
  let v: serde_json::Value=serde_json::from_str(&std::fs::read_to_string(&f).unwrap()).unwrap();
  for t in v.as_array().unwrap(){ n+=1; let mut refused=false; let mut d=0;
   for (k,r) in [("inputSchema",SchemaRole::Arguments),("outputSchema",SchemaRole::Output)]{ if t[k].is_null(){continue}
    let s=SchemaSource::text(&t[k].to_string()); let a=std::time::Instant::now();
    let res=Schema::compile(&s,r); d+=a.elapsed().as_micros(); 
    if let Err(p)=res{ refused=true; } }
   all+=d; times.push((d,format!("{name} {}",t["name"])));
   if refused{bad+=1} } }
 times.sort(); times.reverse();
 println!("{n} {bad} all {}ms median {}us", all/1000, times[times.len()/2].0); for t in &times[..4]{println!("  {t:?}")}
 }
}
