// Waits in node, and how long each took: waits.js ENTRY NANOSECONDS COUNT.
"use strict";
const [entry, nanoseconds, count] = process.argv.slice(2);
const milliseconds = Number(nanoseconds) / 1e6;
const took = [];

function next() {
  const begin = process.hrtime.bigint();
  setTimeout(() => {
    took.push(process.hrtime.bigint() - begin);
    if (took.length < Number(count)) next();
    else console.log(took.join("\n"));
  }, milliseconds);
}

// A thread that nobody wakes waits in a futex, as a worker does.
function waitForNobody() {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  while (took.length < Number(count)) {
    const begin = process.hrtime.bigint();
    Atomics.wait(cell, 0, 0, milliseconds);
    took.push(process.hrtime.bigint() - begin);
  }
  console.log(took.join("\n"));
}

({ timeout: next, atomics: waitForNobody })[entry]();
