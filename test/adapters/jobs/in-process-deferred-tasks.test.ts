import { describe, expect, it } from 'vitest'
import {
  inProcessDeferredTasks,
  tasksAtWork_max,
  deferredTasks_max,
} from '../../../adapters/jobs/in-process-deferred-tasks.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'

describe('work that no answer waits for', () => {
  it('begins after what runs now, and is waited for when the process ends', async () => {
    const happened: string[] = []
    const deferred = inProcessDeferredTasks(() => undefined)
    deferred.run(async () => void happened.push('task'))
    await Promise.resolve()
    happened.push('answer')
    await deferred.close()
    expect(happened).toStrictEqual(['answer', 'task'])
  })

  it('reports what fails, and goes on', async () => {
    const reported: unknown[] = []
    const happened: string[] = []
    const deferred = inProcessDeferredTasks((error) => void reported.push(error))
    const failure = new Error('no connection')
    deferred.run(() => Promise.reject(failure))
    deferred.run(async () => void happened.push('task'))
    await deferred.close()
    expect([reported, happened]).toStrictEqual([[failure], ['task']])
  })

  it('is done a few at a time, in its order', async () => {
    const begun: number[] = []
    const finish: (() => void)[] = []
    const deferred = inProcessDeferredTasks(() => undefined)
    for (let index = 0; index < tasksAtWork_max + 2; index += 1)
      deferred.run(() => {
        begun.push(index)
        return new Promise<void>((resolve) => void finish.push(resolve))
      })
    await expect.poll(() => begun).toHaveLength(tasksAtWork_max)
    finish.shift()?.()
    await expect.poll(() => begun).toHaveLength(tasksAtWork_max + 1)
    const closed = deferred.close()
    finish.splice(0).forEach((done) => done())
    await expect.poll(() => begun).toHaveLength(tasksAtWork_max + 2)
    finish.splice(0).forEach((done) => done())
    await closed
    expect(begun).toStrictEqual(begun.toSorted((a, b) => a - b))
  })

  it('is bounded, and takes more once some of it is done', async () => {
    const deferred = inProcessDeferredTasks(() => undefined)
    for (let count = 0; count < deferredTasks_max; count += 1) deferred.run(async () => undefined)
    expect(() => deferred.run(async () => undefined)).toThrow(Unavailable)
    await deferred.close()
    expect(() => deferred.run(async () => undefined)).not.toThrow()
    await deferred.close()
  })
})
