import { expect, it } from 'vitest'
import { accountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, listOf } from '../../support/answers.ts'
import { chess, directoryOf, isListed, reviewsOf } from '../../support/discovery.ts'
import { deletionIsDue, erase } from '../../support/erasure.ts'
import { commandGuild } from '../../support/guilds.ts'
import { placeOf } from '../../support/members.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const directory = directoryOf(guildhall)
const acls = ['admin:authenticate', 'discovery:review', 'discovery:remove'] as const
const [owner, reviewer, colleague] = [
  await guildhall.register(),
  await administrator(guildhall, ...acls),
  await administrator(guildhall, ...acls),
]

async function erased(account: TestAccount): Promise<void> {
  await deletionIsDue(guildhall, account)
  expect(await erase(guildhall, account)).toBe(true)
}

async function dataOf(id: string): Promise<string> {
  const all: unknown[] = []
  for await (const page of guildhall.store.events.readStream(`discovery_application-${id}`, -1))
    all.push(...page.map(({ type, data, metadata: { actor } }) => ({ type, data, actor })))
  return JSON.stringify(all)
}

it('an application stays when those who applied and reviewed are erased, and their ids stay in history', async () => {
  const place = await placeOf(guildhall, owner)
  const manager = await place.holder('MANAGE_GUILD')
  bodyOf(await directory.apply(manager, place.id))
  bodyOf(await reviewsOf(guildhall, reviewer).review(place.id, { status: 'approved', reason: 'A fine place' }))
  const before = bodyOf(await directory.status(owner, place.id))
  expect(before['application']).toMatchObject({ ...chess, status: 'approved', review_reason: 'A fine place' })
  const history = await dataOf(place.id)

  for (const account of [manager, reviewer]) await erased(account)

  expect(bodyOf(await directory.status(owner, place.id))).toStrictEqual(before)
  expect(await isListed(guildhall, place.id)).toStrictEqual([true, true])
  expect(await dataOf(place.id)).toBe(history)
  for (const { id, email } of [manager, reviewer]) {
    expect(history).toContain(id)
    expect(history).not.toContain(email)
  }
  const entries = (await auditEntries(guildhall)).filter(({ targetId }) => targetId === place.id)
  expect(entries).toMatchObject([{ adminId: reviewer.id, action: 'approve_discovery_application' }])
  // The next decision is another administrator's, and finds all that the first one left.
  expect(bodyOf(await reviewsOf(guildhall, colleague).remove(place.id))).toMatchObject({
    status: 'removed',
    review_reason: 'A fine place',
  })
})

it('the owner of a listed guild reads as the deleted account, until the guild has another owner', async () => {
  const place = await placeOf(guildhall, owner)
  const heir = await place.member()
  bodyOf(await directory.apply(owner, place.id))
  const reviews = reviewsOf(guildhall, colleague)
  await erased(heir)
  const ids = { by: accountId(snowflake(owner.id)), to: accountId(snowflake(heir.id)) }
  const ownerShown = async (items: readonly Readonly<Record<string, unknown>>[]) => {
    const own = items.find(({ guild_id: id }) => id === place.id)
    expect(own).toMatchObject({
      guild_owner_id: heir.id,
      guild_owner_username: 'DeletedUser',
      guild_owner_global_name: 'Deleted User',
      guild_owner_discriminator: '0000',
    })
  }
  // As between the erasure of an owner and the handing on of the guild.
  await commandGuild(guildhall, place.id, { type: 'TransferOwnership', ...ids })
  await ownerShown(listOf(await reviews.pending()))
  bodyOf(await reviews.approve(place.id))
  await ownerShown(listOf(await reviews.listings()))
  await commandGuild(guildhall, place.id, { type: 'TransferOwnership', by: ids.to, to: ids.by })
  expect(listOf(await reviews.listings()).find(({ guild_id: id }) => id === place.id)).toMatchObject({
    guild_owner_id: owner.id,
  })
})
