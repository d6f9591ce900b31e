//! How the page looks: light or dark, and readable at 360 px.

/// The style sheet. Colours of lines differ in brightness too, for those who see colours otherwise.
pub const STYLE: &str = "
:root{color-scheme:light dark;--ink:#1c2024;--dim:#5c6670;--line:#d8dde2;--fill:#2f6fb3;--half:#2f6fb3;--most:#b3762f;--worst:#b3302f;--bad:#b3302f}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ec;--dim:#9aa5b0;--line:#363d44;--fill:#6ea8e0;--half:#6ea8e0;--most:#e0b06e;--worst:#ef7d7c;--bad:#ef7d7c}body{background:#14171a}}
*{box-sizing:border-box}
body{font:16px/1.45 system-ui,sans-serif;color:var(--ink);max-width:56rem;margin:0 auto;padding:1rem}
h1{font-size:1.35rem;margin:0}h2{font-size:1.05rem;margin:1.8rem 0 .4rem}
p{margin:.3rem 0}.dim{color:var(--dim)}.bad{color:var(--bad);font-weight:600}a{color:var(--fill)}
dl.big{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.6rem;margin:1rem 0}
dl.big div{border:1px solid var(--line);border-radius:.5rem;padding:.5rem .7rem}
dl.big dt{color:var(--dim);font-size:.85rem}dl.big dd{margin:0;font-size:1.3rem;font-variant-numeric:tabular-nums}
svg{width:100%;max-width:40rem;height:auto;display:block}
svg text{font:12px system-ui,sans-serif;fill:var(--dim)}
.grid{stroke:var(--line);stroke-width:1}.bar{fill:var(--fill)}
.half,.most,.worst{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.half{stroke:var(--half)}.most{stroke:var(--most);stroke-dasharray:6 3}.worst{stroke:var(--worst);stroke-dasharray:1 4}
.key span{display:inline-block;margin-right:1.2rem;white-space:nowrap}
.key svg{display:inline-block;width:28px;height:10px;margin-right:.4rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.92rem}
th,td{text-align:right;padding:.25rem .5rem;border-bottom:1px solid var(--line);white-space:nowrap}
th{color:var(--dim);font-weight:500}th:first-child,td:first-child{text-align:left;padding-left:0}
ol.late{list-style:none;padding:0;margin:0}ol.late>li{border-bottom:1px solid var(--line);padding:.5rem 0;overflow-wrap:anywhere}
ol.late ul{margin:.2rem 0;padding-left:1.2rem}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0;font-size:.92rem}
dl.facts dt{color:var(--dim)}dl.facts dd{margin:0;overflow-wrap:anywhere}
";
