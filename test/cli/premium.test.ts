import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAggregates } from '../../process/aggregates.ts'
import { operatorName } from '../../cli/operator/operator.ts'
import { instance, type Instance } from './support/instance.ts'
import { userCommands } from './support/user-commands.ts'

let site: Instance

const { newAccount, newestEntry } = userCommands(() => site)

beforeAll(async () => {
  site = await instance()
})
afterAll(() => site.close())

const set = (who: string, ...words: readonly string[]) => site.guildhall(['premium', 'set', who, ...words])
const aggregates = () => openAggregates({ store: site.store.events, snapshots: site.store.snapshots })

describe('guildhall premium set', () => {
  it('gives a lifetime and takes it away, with an entry in the admin audit log for each', async () => {
    const { id, tag } = await newAccount()
    const given = await set(id, 'lifetime', '--reason', 'For the bridge')
    expect(given).toMatchObject({ code: 0, said: '' })
    expect(given.output).toContain(`Account ${id} has lifetime premium, number 1.\n`)
    const { state } = await aggregates().account.load(id)
    expect(state).toMatchObject({ premium: { type: 2, lifetimeNumber: 1 } })
    const shared = {
      action: 'set_premium',
      credential: 'command_line',
      adminId: '0',
      targetType: 'user',
      targetId: id,
    }
    const [operator, personalReason] = [operatorName(), 'For the bridge']
    expect(await newestEntry()).toMatchObject({
      ...shared,
      metadata: { premium: 'lifetime', operator },
      personalReason,
    })
    const taken = await set(tag, 'none')
    expect(taken.output).toContain(`Account ${id} has no premium now.\n`)
    expect(await newestEntry()).toMatchObject({ ...shared, metadata: { premium: 'none', operator } })
    expect(await site.guildhall(['audit', 'verify'])).toMatchObject({ code: 0 })
  })

  it('writes nothing in a dry run, for an account that does not exist, or for any other wish', async () => {
    const { id } = await newAccount()
    const before = await site.events()
    const dry = await set(id, 'lifetime', '--dry-run')
    expect(dry.output).toContain('This was a dry run: nothing was written or sent.\n')
    expect(dry.output).toContain('AdminActionRecorded')
    expect(await set('12', 'lifetime')).toMatchObject({ code: 1, said: 'There is no account 12\n' })
    expect(await set(id, 'gold')).toMatchObject({ code: 1, said: 'gold is neither lifetime nor none\n' })
    expect(await site.events()).toStrictEqual(before)
  })
})
