// Compares how long the two commands of the tests took with what README says, one line each. Exits with 1 where README promises
// less than half of it, or nothing; a machine that is slower than the one of README may take longer by as much. Parameters: the
// seconds that `npm test` took, those of `npm run test:faults`, and the pace, which is measured if it is left out.
import { readFileSync } from 'node:fs'
import { measuredPace } from '../test/support/pace.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const pace = Math.max(1, Number(process.argv[4] ?? measuredPace()))
const measured = { 'npm test': Number(process.argv[2]), 'npm run test:faults': Number(process.argv[3]) }

for (const [command, took_s] of Object.entries(measured)) {
  const said = readme.match(new RegExp(`\`${command}\` took ([\\d,]+) s`))?.[1]
  const said_s = said === undefined ? 0 : Number(said.replaceAll(',', ''))
  const isKept = took_s <= 2 * said_s * pace
  if (!isKept) process.exitCode = 1
  const verdict = isKept ? 'ok' : 'FAILED, README promises less than half of it'
  console.log(`== ${command} took ${took_s} s; README says ${said_s} s, the pace is ${pace.toFixed(1)}: ${verdict}`)
}
