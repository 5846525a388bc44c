import { expect, it } from 'vitest'
import { systemAccountId } from '../../../../domain/account/system-account.ts'
import { accountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { testRequester } from '../../../support/test-requester.ts'
import { expectRefusal } from '../../support/answers.ts'
import { befriend, relationsOn, typesOf } from '../../support/relationships.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const relations = relationsOn(guildhall)

it('an account that speaks for the service cannot be blocked, and a friendship with it stays', async () => {
  const [ada, news] = [await guildhall.register(), await guildhall.register()]
  await befriend(guildhall, ada, news)
  const { context } = testRequester()
  const { account } = guildhall.ports.aggregates
  const id = accountId(snowflake(news.id))
  await account.execute(id, { type: 'SetBotStatus', bot: true }, context)
  await account.execute(id, { type: 'SetSystemStatus', system: true }, context)
  await guildhall.ports.readModels.reached(context.written)
  expectRefusal(await relations.block(ada, news), 400, 'CANNOT_BLOCK_SYSTEM_USER')
  expect(await typesOf(guildhall, ada)).toStrictEqual({ [news.id]: 1 })
})

it('the service itself, which writes as the account 0, cannot be blocked', async () => {
  const ada = await guildhall.register()
  expectRefusal(await relations.block(ada, { id: systemAccountId }), 400, 'CANNOT_BLOCK_SYSTEM_USER')
  expect(await typesOf(guildhall, ada)).toStrictEqual({})
})
