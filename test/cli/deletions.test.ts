import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountId } from '../../domain/ids/ids.ts'
import { streamName } from '../../domain/streams.ts'
import { account, after, created, guild, joined } from '../projections/support/people.ts'
import { happens } from './support/happenings.ts'
import { instance, type Instance } from './support/instance.ts'
import { userCommands } from './support/user-commands.ts'

let site: Instance
const { newAccount, succeeds } = userCommands(() => site)

beforeAll(async () => {
  site = await instance()
})
afterAll(() => site.close())

async function deletions(...words: readonly string[]): Promise<readonly string[]> {
  await site.project()
  const ended = await site.guildhall(['deletions', ...words])
  expect(ended).toMatchObject({ code: 0, said: '' })
  return ended.output.trimEnd().split('\n')
}

async function guildWith(number: number, owner: number, ...members: readonly number[]): Promise<void> {
  const { events } = site.store
  await happens(events, streamName('guild', guild(number)), created(number, account(owner)))
  for (const [index, member] of [owner, ...members].entries())
    await happens(
      events,
      streamName('membership', `${guild(number)}-${account(member)}`),
      joined(number, member, { seconds: index }),
    )
}

async function holderDeletes(accountId: AccountId): Promise<void> {
  const data = { accountId, dueAt: after(60) }
  await happens(site.store.events, streamName('account', accountId), { type: 'SelfDeletionScheduled', data })
}

describe('guildhall deletions', () => {
  it('prints who scheduled each, what its erasure takes, the heirs of guilds, and what is in the way', async () => {
    expect(await deletions()).toStrictEqual(['No deletion is scheduled.'])
    const [ada, brian, carol] = [await newAccount(), await newAccount(), await newAccount()]
    await guildWith(1, ada.number, brian.number, carol.number)
    await guildWith(2, ada.number)
    await guildWith(3, carol.number)
    await site.project()
    await succeeds('delete', ada.id, '--because', 'SPAM')
    await holderDeletes(carol.id)
    const lines = await deletions()
    expect(lines).toStrictEqual([
      `${carol.tag} (${carol.id})  due ${after(60)}  scheduled by its holder`,
      '  leaves guilds: 2',
      `  in the way: the holder has to give guild ${guild(3)} away first`,
      expect.stringMatching(/^User1#0001 \(\d+\) {2}due \S+Z {2}scheduled at the command line at \S+Z$/),
      '  leaves guilds: 2',
      `  guild ${guild(1)} "Guild 1" goes to ${brian.tag} (${brian.id})`,
      `  guild ${guild(2)} "Guild 2" is deleted: nobody can get it`,
    ])
    expect(await deletions('--first', '1')).toStrictEqual([
      ...lines.slice(0, 3),
      'These are the first 1: --first prints more.',
    ])
    await succeeds('undelete', ada.id)
    await succeeds('undelete', carol.id)
    expect(await deletions()).toStrictEqual(['No deletion is scheduled.'])
  })

  it.each(['0', '1001', 'all'])('takes no --first %s', async (first) => {
    const { code, said } = await site.guildhall(['deletions', '--first', first])
    expect({ code, said }).toStrictEqual({ code: 1, said: `--first ${first} is not a number from 1 to 1000\n` })
  })
})
