// Runs the tests: by default those whose subject is neither death, load nor time, with --faults those where it is one of them
// (test/support/process-suites.ts). With further arguments, which are vitest's (a file, `-t`), one vitest runs with them.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const inDist = (name) => fileURLToPath(new URL(`../dist/${name}.json`, import.meta.url))
const slowest_shown = 20
/** More failed files than this are no accident. */
const repeated_max = 8

const isFaults = process.argv[2] === '--faults'
const given = process.argv.slice(isFaults ? 3 : 2)
process.exitCode = given.length > 0 ? await run(given) : await runAll()

/** Starts vitest. Ends with its exit status. */
function run(parameters) {
  const child = spawn(process.execPath, [vitest, 'run', ...parameters], { stdio: 'inherit' })
  const end = (signal) => child.kill(signal)
  process.on('SIGINT', end).on('SIGTERM', end)
  return new Promise((resolve) => child.once('close', (status) => resolve(status ?? 1)))
}

/** Writes the results of the run into dist, for .ci/count-tests.mjs. Ends with an exit status. */
async function runAll() {
  const results = inDist(isFaults ? 'fault-results' : 'test-results')
  for (const file of [results, uncaughtFile(results)]) rmSync(file, { force: true })
  const projects = isFaults ? ['faults'] : ['processes', 'parts']
  const status = await run([...projects.flatMap((name) => ['--project', name]), `--outputFile.json=${results}`])
  const first = resultsIn(results)
  printSummary(first)
  const failed = failedFiles(first)
  const named = new Set(failed.map(({ name }) => name))
  const isUncaught = uncaughtIn(results).some((file) => !named.has(file))
  if (isUncaught)
    console.log('It failed outside of its tests: an error that nobody caught stands above, under Unhandled Errors.')
  const isRepeated = process.env['CI'] === '1' && failed.length > 0 && failed.length <= repeated_max
  const settled = isRepeated
    ? await repeated(first, results.replace('.json', '-repeated.json'))
    : { results: first, status }
  writeFileSync(results, JSON.stringify(settled.results))
  return Math.max(settled.status, Number(isUncaught))
}

/** Written by test/support/uncaught-errors.ts. */
function uncaughtFile(file) {
  return file.replace('.json', '-uncaught.json')
}

/** A run that was cut off wrote nothing, and has failed outside of its tests too. */
function uncaughtIn(file) {
  const written = uncaughtFile(file)
  return existsSync(written) ? JSON.parse(readFileSync(written, 'utf8')) : [null]
}

/**
 * Runs a few failed files once more, one at a time, and puts their results in the place of the first. On a machine that others use, a
 * process may miss its bound; what fails by itself fails again. What held then is named: it is a defect to look for.
 */
async function repeated(first, file) {
  const names = failedFiles(first).map(({ name }) => name)
  rmSync(file, { force: true })
  const status = await run([...names, '--no-file-parallelism', `--outputFile.json=${file}`])
  const second = resultsIn(file)
  const still = new Set(failedFiles(second).map(({ name }) => name))
  for (const name of names) {
    if (!still.has(name)) console.log(`UNSTEADY: failed beside others, held alone: ${shortened(name)}`)
  }
  const kept = first.testResults.filter(({ name }) => !names.includes(name))
  return { results: counted([...kept, ...second.testResults]), status }
}

function failedFiles({ testResults }) {
  return testResults.filter(({ status }) => status === 'failed')
}

/** Of a run that left no file nothing counts; its exit status says that it failed. */
function resultsIn(file) {
  return counted(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).testResults : [])
}

function counted(testResults) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const statuses = tests.map(({ status }) => status)
  return {
    assertions: tests.reduce((sum, { meta }) => sum + (meta?.assertions ?? 0), 0),
    numPassedTests: statuses.filter((status) => status === 'passed').length,
    numFailedTests: statuses.filter((status) => status === 'failed').length,
    testResults,
  }
}

function printSummary({ numPassedTests, numFailedTests, assertions, testResults }) {
  const slowest = testResults
    .map(({ name, startTime, endTime }) => ({ name: shortened(name), took_ms: endTime - startTime }))
    .toSorted((one, other) => other.took_ms - one.took_ms)
    .slice(0, slowest_shown)
  console.log('\nThe slowest files')
  for (const { name, took_ms } of slowest) console.log(`${(took_ms / 1000).toFixed(1).padStart(7)} s  ${name}`)
  const failed = testResults.filter(({ status }) => status === 'failed')
  if (failed.length > 0) console.log('\nWhat failed, in short (the whole of it stands above)')
  for (const { name, message, assertionResults } of failed) {
    console.log(`${shortened(name)} ${message ?? ''}`)
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status !== 'failed') continue
      console.log(`  ${fullName}\n    ${failureMessages.join('\n').slice(0, 1500).replaceAll('\n', '\n    ')}`)
    }
  }
  console.log(
    `\n${numPassedTests} passed, ${numFailedTests} failed, ${assertions} assertions, in ${testResults.length} files`,
  )
}

function shortened(file) {
  return file.slice(file.lastIndexOf('/test/') + 1)
}
