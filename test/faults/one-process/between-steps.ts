import { randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { uuid7 } from '../../../application/commands/derive-id.ts'
import { noStream } from '../../../domain/kernel/position.ts'
import { accountId, guildId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { streamName } from '../../../domain/streams.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import type { MembershipEvent } from '../../../domain/membership/events.ts'
import { bareBan } from '../../../domain/testing/people.ts'
import type { Store } from '../../../process/store.ts'
import {
  acceptInvite,
  call,
  createGuild,
  createInvite,
  getGuild,
  register,
  send,
  type Person,
} from '../../support/load-api.ts'
import type { LoadSite } from '../../support/load-site.ts'
import { noteFault } from '../../support/fault-table.ts'
import { factsOf, pair, type Facts } from '../history-facts.ts'
import { killAfterFirstAppend } from './kill-after-first-append.ts'
import { divergentRows, finishedSteps, wholeHistory, withStore, withStoreAlone } from '../store-checks.ts'
import { patience_ms } from '../../support/pace.ts'

interface Scene {
  readonly owner: Person
  readonly guest: Person
  readonly guild: string
  readonly code: string
}

export function killedBetweenSteps(site: LoadSite): void {
  describe('the admission by an invite', () => {
    let scene: Scene
    // Each test gets its own people, guild and invite.
    beforeEach(async () => {
      scene = await setTheScene(site.product.url)
    })

    describe('a process that is killed between taking a use of an invite and joining', () => {
      it('is finished after its restart: the account joins, by one use', async () => {
        await killBetweenTheSteps(site, scene, randomUUID())
        const { ready_ms } = await site.start()
        await withStore(site.dataDir, async (store) => {
          const { left, ms } = await finishedSteps(store, patience_ms)
          const { uses, admissions } = spent(factsOf(await wholeHistory(store)), scene)
          const divergent = await divergentRows(store)
          noteFault('F1b', {
            title: 'One process killed between two steps',
            runs: 1,
            lost: Math.max(0, 1 - admissions),
            repeated: Math.max(0, uses - 1) + Math.max(0, admissions - 1),
            reordered: 0,
            divergent: divergent.length,
            stuck_s: (ready_ms + ms) / 1000,
            note: 'a process starts in the time',
          })
          expect({ left, uses, admissions, divergent }).toEqual({ left: 0, uses: 1, admissions: 1, divergent: [] })
        })
      })

      it('is finished by the client that repeats it with the same Idempotency-Key: one use, one membership', async () => {
        const key = randomUUID()
        await killBetweenTheSteps(site, scene, key)
        const { url } = await site.start()
        expect(await send(url, acceptInvite(scene.guest, scene.code), key)).toMatchObject({ status: 200 })
        await withStore(site.dataDir, async (store) => {
          expect(await finishedSteps(store, patience_ms)).toMatchObject({ left: 0 })
          expect(spent(factsOf(await wholeHistory(store)), scene)).toEqual({ uses: 1, admissions: 1 })
        })
      })

      it('releases the use after its restart if joining is refused meanwhile', async () => {
        const key = randomUUID()
        await killBetweenTheSteps(site, scene, key)
        await withStoreAlone(site.dataDir, (store) => appendBan(store, scene))
        const { url } = await site.start()
        await withStore(site.dataDir, async (store) => {
          expect(await finishedSteps(store, patience_ms)).toMatchObject({ left: 0 })
          const facts = factsOf(await wholeHistory(store))
          expect(spent(facts, scene)).toEqual({ uses: 0, admissions: 0 })
          expect(await divergentRows(store)).toEqual([])
        })
        const again = await send(url, acceptInvite(scene.guest, scene.code), key)
        expect(again.status).toBeGreaterThanOrEqual(403)
        // Another account can take the only use that the invite has.
        const other = await call(url, register('other'))
        expect(await send(url, acceptInvite(other, scene.code))).toMatchObject({ status: 200 })
      })
    })

    describe('an admission that is refused', () => {
      it('consumes no use', async () => {
        await withStore(site.dataDir, (store) => appendBan(store, scene))
        const refused = await send(site.product.url, acceptInvite(scene.guest, scene.code))
        expect(refused).toMatchObject({ status: 403, body: { code: 'USER_BANNED_FROM_GUILD' } })
        await withStore(site.dataDir, async (store) => {
          expect(spent(factsOf(await wholeHistory(store)), scene)).toEqual({ uses: 0, admissions: 0 })
        })
      })
    })
  })
}

async function setTheScene(url: string): Promise<Scene> {
  const unique = randomUUID().slice(0, 8)
  const owner = await call(url, register(`owner${unique}`))
  const guest = await call(url, register(`guest${unique}`))
  const { id } = await call(url, createGuild(owner, 'Between'))
  const { textChannel } = await call(url, getGuild(owner, id))
  const { code } = await call(url, createInvite(owner, textChannel, { max_uses: 1, max_age: 0 }))
  return { owner, guest, guild: id, code }
}

function spent(
  { redemptions, admissions }: Facts,
  { code, guest }: Scene,
): { readonly uses: number; readonly admissions: number } {
  const key = pair(code, guest.id)
  return { uses: redemptions.get(key)?.length ?? 0, admissions: admissions.get(key)?.length ?? 0 }
}

async function killBetweenTheSteps(site: LoadSite, scene: Scene, key: string): Promise<void> {
  await killAfterFirstAppend(site, {
    begin: () => send(site.product.url, acceptInvite(scene.guest, scene.code), key),
    first: 'InviteRedeemed',
    second: 'MemberJoined',
  })
}

/** Bans the guest, as another process of the product would. */
async function appendBan({ events }: Store, { guild, guest, owner }: Scene): Promise<void> {
  const at = timestamp(Date.now())
  const [guildOf, accountOf, moderatorId] = [
    guildId(snowflake(guild)),
    accountId(snowflake(guest.id)),
    accountId(snowflake(owner.id)),
  ]
  const banned: MembershipEvent = {
    type: 'MemberBanned',
    data: {
      guildId: guildOf,
      accountId: accountOf,
      moderatorId,
      wasMember: false,
      reason: null,
      bannedAt: at,
      expiresAt: null,
      ...bareBan,
    },
  }
  const eventId = uuid7(Date.now(), randomBytes(10))
  const metadata = {
    eventId,
    at,
    actor: { kind: 'account', id: moderatorId },
    correlationId: eventId,
    causationId: eventId,
  } as const
  const result = await events.append(streamName('membership', `${guild}-${guest.id}`), noStream, [
    { ...banned, metadata },
  ])
  expect(result.outcome).toBe('appended')
}
