import { expect, it } from 'vitest'
import { metadataOf } from '../../../../application/commands/command-context.ts'
import { personalValuesOf } from '../../../../application/identity/erasure/personal-values.ts'
import { accountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { streamName } from '../../../../domain/streams.ts'
import { testContext } from '../../../support/test-context.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()

it('what belongs to a holder is gathered from all events of an account with a long life, first and last', async () => {
  const { ports, store } = guildhall
  const ada = await guildhall.register()
  const id = accountId(snowflake(ada.id))
  const stream = streamName('account', id)
  const agents = Array.from({ length: 1300 }, (_, index) => `browser number ${index} of Ada`)
  for (const part of [agents.slice(0, 700), agents.slice(700)]) {
    const { revision } = await ports.aggregates.account.load(id)
    const context = testContext()
    const started = part.map((userAgent, index) => ({
      type: 'SessionStarted',
      data: { accountId: id, tokenHash: userAgent, startedAt: context.now, ip: '127.0.0.1', userAgent },
      metadata: metadataOf(context, stream, 'StartSession', index),
    }))
    const appended = await store.events.append(stream, revision, started)
    if (appended.outcome !== 'appended') throw new Error('Somebody was faster')
    await ports.readModels.reached(appended.position)
  }
  const { values, holders, isCut, unread_count } = await personalValuesOf(ports, id, [])
  expect({ holders, isCut, unread_count }).toEqual({ holders: [id], isCut: false, unread_count: 0 })
  const texts = values.map(({ text }) => text)
  expect(texts).toEqual(expect.arrayContaining([ada.email, ...agents]))
  expect(texts).not.toContain('127.0.0.1')
  expect(new Set(texts).size).toBe(texts.length)
})
