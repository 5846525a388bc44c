import { describe, expect, it } from 'vitest'
import { inProcessDeferredTasks } from '../../../adapters/jobs/in-process-deferred-tasks.ts'
import { bestEffort } from '../../../application/commands/best-effort.ts'

describe('an act that follows what was done', () => {
  it('counts as done if it succeeds', async () => {
    const deferred = inProcessDeferredTasks((error) => expect.unreachable(String(error)))
    expect(await bestEffort({ deferred }, () => Promise.resolve())).toBe(true)
  })

  it('does not count if it fails, which the operator is told of and the caller is not', async () => {
    const failure = new Error('no space for mails')
    const reported: unknown[] = []
    const deferred = inProcessDeferredTasks((error) => reported.push(error))
    expect(await bestEffort({ deferred }, () => Promise.reject(failure))).toBe(false)
    await deferred.close()
    expect(reported).toStrictEqual([failure])
  })
})
