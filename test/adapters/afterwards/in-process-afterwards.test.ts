import { describe, expect, it } from 'vitest'
import { inProcessAfterwards, tasksAtWork_max } from '../../../adapters/afterwards/in-process-afterwards.js'
import { afterwards_max } from '../../../application/ports/afterwards.js'
import { Unavailable } from '../../../application/ports/unavailable.js'

describe('work that no answer waits for', () => {
  it('begins after what runs now, and is waited for when the process ends', async () => {
    const happened: string[] = []
    const afterwards = inProcessAfterwards(() => undefined)
    afterwards.run(async () => void happened.push('task'))
    await Promise.resolve()
    happened.push('answer')
    await afterwards.close()
    expect(happened).toStrictEqual(['answer', 'task'])
  })

  it('reports what fails, and goes on', async () => {
    const reported: unknown[] = []
    const happened: string[] = []
    const afterwards = inProcessAfterwards((error) => void reported.push(error))
    const failure = new Error('no connection')
    afterwards.run(() => Promise.reject(failure))
    afterwards.run(async () => void happened.push('task'))
    await afterwards.close()
    expect([reported, happened]).toStrictEqual([[failure], ['task']])
  })

  it('is done a few at a time, in its order', async () => {
    const begun: number[] = []
    const finish: (() => void)[] = []
    const afterwards = inProcessAfterwards(() => undefined)
    for (let index = 0; index < tasksAtWork_max + 2; index += 1)
      afterwards.run(() => {
        begun.push(index)
        return new Promise<void>((resolve) => void finish.push(resolve))
      })
    await expect.poll(() => begun).toHaveLength(tasksAtWork_max)
    finish.shift()?.()
    await expect.poll(() => begun).toHaveLength(tasksAtWork_max + 1)
    const closed = afterwards.close()
    finish.splice(0).forEach((done) => done())
    await expect.poll(() => begun).toHaveLength(tasksAtWork_max + 2)
    finish.splice(0).forEach((done) => done())
    await closed
    expect(begun).toStrictEqual(begun.toSorted((a, b) => a - b))
  })

  it('is bounded, and takes more once some of it is done', async () => {
    const afterwards = inProcessAfterwards(() => undefined)
    for (let count = 0; count < afterwards_max; count += 1) afterwards.run(async () => undefined)
    expect(() => afterwards.run(async () => undefined)).toThrow(Unavailable)
    await afterwards.close()
    expect(() => afterwards.run(async () => undefined)).not.toThrow()
    await afterwards.close()
  })
})
