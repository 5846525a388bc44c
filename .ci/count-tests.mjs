// Prints "N passed, N failed" from vitest's JSON results and exits with 1 if anything failed.
// Parameters: whether the commands of the tests succeeded (1 or 0), how many other steps failed, the results files.
import { existsSync, readFileSync } from 'node:fs'

const [testsOk, failedSteps, ...files] = process.argv.slice(2)

function countIn(file) {
  if (!existsSync(file)) return { passed: 0, failed: 0 }
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'))
  // A file that fails before its first test, for want of an import for example, has no failed test to count.
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return { passed: numPassedTests, failed: numFailedTests + brokenFiles.length }
}

const counts = files.map(countIn)
const tests = {
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
}
// A run can fail without a failed test: it did not compile, an error was left unhandled, no test was found.
const failedTests = tests.failed === 0 && testsOk !== '1' ? 1 : tests.failed
const failed = failedTests + Number(failedSteps)
console.log(`${tests.passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
