import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Where files start processes, which takes them long. */
const long = /\/test\/(?:faults|cli|roles|model|adapters\/(?:postgres\/embedded|jobs)|projections\/replay\.)/

/** Runs the long files first, so that no worker begins one while the others have nothing left to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [
      ...sorted.filter(({ moduleId }) => long.test(moduleId)),
      ...sorted.filter(({ moduleId }) => !long.test(moduleId)),
    ]
  }
}
