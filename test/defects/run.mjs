// Plants the defects of this folder one at a time, in a copy of the checkout, and names the test files that find each. Ends with 1 if
// one is found by none of those that its patch names. With arguments: those alone whose file names begin with one of them.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const root = join(folder, '../..')
/** A planted defect may leave a test waiting for what never comes. */
const patience_ms = 15_000
const defect_ms_max = 300_000

const given = process.argv.slice(2)
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.patch'))
  .filter((name) => given.length === 0 || given.some((beginning) => name.startsWith(beginning)))
  .toSorted()
const copy = copied()
try {
  let missed = 0
  for (const name of names) {
    const found = await findersOf(name)
    if (found.length === 0) missed += 1
    console.log(`${found.length > 0 ? 'found ' : 'MISSED'} ${name.replace('.patch', '')}  ${found.join(' ')}`)
  }
  console.log(`\n${names.length - missed} of ${names.length} found`)
  process.exitCode = missed > 0 || names.length === 0 ? 1 : 0
} finally {
  rmSync(copy, { recursive: true, force: true })
}

/** A copy of what the repository holds, as it is here now. */
function copied() {
  const copy = mkdtempSync(join(tmpdir(), 'guildhall-defects-'))
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  for (const file of listed.split('\0').filter(Boolean)) cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** The files that fail of those that a patch names, with it planted. A run that does not end has found it too. */
async function findersOf(name) {
  const patch = join(folder, name)
  const files = namedIn(readFileSync(patch, 'utf8'))
  execFileSync('git', ['apply', patch], { cwd: copy })
  try {
    const report = join(copy, 'dist', 'defect.json')
    rmSync(report, { force: true })
    const hasEnded = await tested([...files, `--outputFile.json=${report}`])
    return hasEnded ? failedIn(report) : files
  } finally {
    execFileSync('git', ['apply', '-R', patch], { cwd: copy })
  }
}

function namedIn(patch) {
  return [...patch.matchAll(/^Found by: (\S+)$/gm)].map(([, file]) => file)
}

function failedIn(report) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name.slice(copy.length + 1))
}

/** Whether the tests ended by themselves. */
function tested(parameters) {
  const child = spawn('npm', ['test', '--', ...parameters], {
    cwd: copy,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, PATIENCE_MS: String(patience_ms) },
  })
  return new Promise((resolve) => {
    const late = setTimeout(() => process.kill(-Number(child.pid), 'SIGTERM'), defect_ms_max)
    child.once('close', (_, signal) => {
      clearTimeout(late)
      resolve(signal === null)
    })
  })
}
