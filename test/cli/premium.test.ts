import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAggregates } from '../../cli/aggregates.js'
import { operatorName } from '../../cli/operator/operator.js'
import { accountId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import { identity } from '../domain/account/account-story.js'
import { testContext } from '../support/test-context.js'
import { instance, type Instance } from './support/instance.js'

let site: Instance

beforeEach(async () => {
  site = await instance()
})
afterEach(() => site.close())

const ada = accountId(snowflake('9007199254740993'))
const set = (who: string, wish: string) => site.guildhall(['premium', 'set', who, wish])
const aggregates = () => openAggregates({ store: site.store.events, snapshots: site.store.snapshots })

async function registerAda(): Promise<void> {
  const context = testContext()
  const register = { type: 'RegisterAccount', ...identity, accountId: ada, now: context.now } as const
  await aggregates().account.execute(ada, register, context)
}

const entries = async () =>
  (await site.events())
    .filter(({ type }) => type === 'AdminActionRecorded')
    .map(({ data }) => data as Readonly<Record<string, unknown>>)

describe('guildhall premium set', () => {
  it('gives a lifetime and takes it away, with an entry in the admin audit log for each', async () => {
    await registerAda()
    expect(await set(ada, 'lifetime')).toMatchObject({
      code: 0,
      output: `Account ${ada} has lifetime premium, number 1.\n`,
    })
    const { state } = await aggregates().account.load(ada)
    expect(state).toMatchObject({ premium: { type: 2, lifetimeNumber: 1 } })
    expect(await set(ada, 'none')).toMatchObject({ code: 0, output: `Account ${ada} has no premium now.\n` })
    const shared = {
      action: 'set_premium',
      credential: 'command_line',
      adminId: '0',
      targetType: 'user',
      targetId: ada,
    }
    expect(await entries()).toMatchObject([
      { ...shared, metadata: { premium: 'lifetime', operator: operatorName() } },
      { ...shared, metadata: { premium: 'none' } },
    ])
    expect(await site.guildhall(['audit', 'verify'])).toMatchObject({ code: 0 })
  })

  it('refuses an account that does not exist, and any other wish, and writes nothing', async () => {
    expect(await set(ada, 'lifetime')).toMatchObject({ code: 1, said: `There is no account ${ada}\n` })
    expect(await set(ada, 'gold')).toMatchObject({ code: 1, said: 'gold is neither lifetime nor none\n' })
    expect(await site.events()).toEqual([])
  })
})
