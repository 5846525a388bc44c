import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that start processes, which take long. */
const long =
  /\/test\/(?:faults|cli|roles|model|adapters\/(?:postgres\/embedded|jobs)|projections\/replay\.|abuse\/flood\.)/

/** A file that has no test of its own plays chapters of other modules, one after another: nothing takes longer. */
const hasOwnTests = /^\s*(?:it|test)\b/m

/** How a file asks for a server that it shares (test/operations/support/scene.ts). */
const shared = /\bopen(?:Server|Scene)\('(\w+)'\)/

/** How a file replaces the clock of its worker. */
const replacesClock = /\buseFakeTimers\(/

/**
 * Runs the files first that replace the clock: whatever a shared server starts meanwhile would wait for ever. Then the long files,
 * those with chapters first, so that no worker begins one when the others have nothing left to do. Then files that share a server, one after another: a
 * worker ends it after the last.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted
      .map((file) => ({ file, place: placeOf(file) }))
      .toSorted((one, other) => one.place.localeCompare(other.place))
      .map(({ file }) => file)
  }
}

/** Files run in the order of these texts. */
export function placeOf({ moduleId }: Pick<TestSpecification, 'moduleId'>): string {
  const text = readFileSync(moduleId, 'utf8')
  if (replacesClock.test(text)) return '0'
  if (long.test(moduleId)) return hasOwnTests.test(text) ? '1 own' : '1'
  const name = shared.exec(text)?.[1]
  return name === undefined ? '3' : `2 ${name}`
}
