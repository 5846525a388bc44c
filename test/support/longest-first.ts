import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that start processes, which take long. */
const long = /\/test\/(?:faults|cli|roles|model|adapters\/(?:postgres\/embedded|jobs)|projections\/replay\.)/

/** Runs the long files first, so that no worker begins one when the others have nothing left to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [
      ...sorted.filter(({ moduleId }) => long.test(moduleId)),
      ...sorted.filter(({ moduleId }) => !long.test(moduleId)),
    ]
  }
}
