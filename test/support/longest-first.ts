import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that start processes, which take long. */
const long =
  /\/test\/(?:faults|cli|roles|model|adapters\/(?:postgres\/embedded|jobs)|projections\/replay\.|abuse\/flood\.)/

/** How a file asks for a server that it shares (test/operations/support/scene.ts). */
const shared = /\bopen(?:Server|Scene)\('(\w+)'\)/

/**
 * Runs the long files first, so that no worker begins one when the others have nothing left to do. Then files that share a
 * server, one after another: a worker ends it after the last.
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

function placeOf({ moduleId }: TestSpecification): string {
  if (long.test(moduleId)) return '0'
  const name = shared.exec(readFileSync(moduleId, 'utf8'))?.[1]
  return name === undefined ? '2' : `1 ${name}`
}
