import { describe, expect, it } from 'vitest'
import { noStream } from '../../../domain/kernel/position.ts'
import { streamName } from '../../../domain/streams.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { collect } from '../../contract/sample-events.ts'
import { code, start } from '../../../domain/testing/people.ts'
import { context, creation, fixture, redemption } from './fixture.ts'

const stream = streamName('invite', code)
const later = secondsAfter(start, 60)
const refusedWith = (refusalCode: string) =>
  expect.objectContaining({ refusal: expect.objectContaining({ code: refusalCode }) })

describe('executing the first command of a new id', () => {
  it('reads nothing before the append, and works from its state afterwards', async () => {
    const { invites, reads, appends } = fixture()
    const aggregate = invites()
    await aggregate.execute(code, creation(10), context(), 'initial')
    const { state } = await aggregate.execute(code, redemption(1), context())
    expect(state).toMatchObject({ status: 'created', uses: 1 })
    expect(reads).toEqual([])
    expect(appends).toEqual([1, 1])
  })

  it('is decided again on what is there, if the id is not new', async () => {
    const { invites, store } = fixture()
    await invites().execute(code, creation(10), context())
    const another = { ...creation(10), terms: { ...creation(10).terms, maxUses: 5, createdAt: later } }
    await expect(invites().execute(code, another, context(), 'initial')).rejects.toThrow(refusedWith('CONFLICT'))
    expect(await collect(store.readStream(stream, noStream))).toHaveLength(1)
  })

  it('is refused as any other, and appends nothing', async () => {
    const { invites, appends } = fixture()
    await expect(invites().execute(code, redemption(1), context(), 'initial')).rejects.toThrow(
      refusedWith('UNKNOWN_INVITE'),
    )
    expect(appends).toEqual([])
  })
})
