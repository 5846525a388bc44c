import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { GuildFeature } from '../../../domain/guild/features.ts'
import { streamName } from '../../../domain/streams.ts'
import { appendCommands } from '../../support/append-commands.ts'
import { noteFault } from '../../support/fault-table.ts'
import {
  applyForDiscovery,
  call,
  createGuild,
  register,
  send,
  withdrawDiscovery,
  type ApiRequest,
  type Person,
} from '../../support/load-api.ts'
import type { LoadSite } from '../../support/load-site.ts'
import { appendFeatures } from '../append-features.ts'
import { killAfterFirstAppend } from './kill-after-first-append.ts'
import { divergentRows, finishedSteps, wholeHistory, withStore } from '../store-checks.ts'
import { patience_ms } from '../../support/pace.ts'

const approve = (root: Person, id: string): ApiRequest => ({
  method: 'PATCH',
  path: `/v1/admin/discovery/applications/${id}`,
  token: root.token,
  body: { status: 'approved' },
  parse: (body) => body,
})
const remove = (root: Person, id: string): ApiRequest => ({
  method: 'DELETE',
  path: `/v1/admin/discovery/listings/${id}`,
  token: root.token,
  body: { reason: 'It is empty' },
  parse: (body) => body,
})

export function killedBetweenStepsOfAListing(site: LoadSite): void {
  /** A guild, with these features. */
  async function guildWith(
    features: readonly GuildFeature[],
  ): Promise<{ readonly owner: Person; readonly id: string }> {
    const { url } = site.product
    const owner = await call(url, register(`owner${randomUUID().slice(0, 8)}`))
    const { id } = await call(url, createGuild(owner, 'Listed'))
    if (features.length > 0) await withStore(site.dataDir, ({ events }) => appendFeatures(events, id, features))
    return { owner, id }
  }

  /** The features of the guild after each change of them, when everything that was begun is finished. */
  async function featuresOf(id: string): Promise<readonly (readonly string[])[]> {
    return withStore(site.dataDir, async (store) => {
      expect(await finishedSteps(store, patience_ms)).toMatchObject({ left: 0 })
      const changes = (await wholeHistory(store)).filter(
        ({ type, stream }) => type === 'GuildFeaturesChanged' && stream === streamName('guild', id),
      )
      return changes.map(({ data }) => (data as { readonly features: readonly string[] }).features)
    })
  }

  /** Sends a decision, kills the product between its two steps, and starts it again. Whether the guild is listed then. */
  async function isListedAfter(request: ApiRequest, id: string, first: string): Promise<boolean> {
    const begin = () => send(site.product.url, request, randomUUID())
    await killAfterFirstAppend(site, { begin, first, second: 'GuildFeaturesChanged' })
    await site.start()
    return ((await featuresOf(id)).at(-1) ?? []).includes('DISCOVERABLE')
  }

  describe('a process that is killed between a decision about the directory and the guild', () => {
    it('lists the guild after its restart, and takes it out after the next one, whoever decided', async () => {
      const root = await call(site.product.url, register(`root${randomUUID().slice(0, 8)}`))
      await withStore(site.dataDir, ({ events }) => appendCommands(events, root, [{ type: 'SetAcls', acls: ['*'] }]))
      const [reviewed, verified] = [await guildWith([]), await guildWith(['VERIFIED'])]
      await call(site.product.url, applyForDiscovery(reviewed.owner, reviewed.id))
      const listed = {
        approved: await isListedAfter(approve(root, reviewed.id), reviewed.id, 'DiscoveryApplicationApproved'),
        removed: await isListedAfter(remove(root, reviewed.id), reviewed.id, 'DiscoveryListingRemoved'),
        applied: await isListedAfter(applyForDiscovery(verified.owner, verified.id), verified.id, 'DiscoveryApplied'),
        withdrawn: await isListedAfter(
          withdrawDiscovery(verified.owner, verified.id),
          verified.id,
          'DiscoveryApplicationWithdrawn',
        ),
      }
      const wanted = { approved: true, removed: false, applied: true, withdrawn: false }
      const lost = Object.entries(wanted).filter(([step, is]) => listed[step as keyof typeof listed] !== is).length
      // Each decision changes them once, and VERIFIED was given before.
      const changes = [...(await featuresOf(reviewed.id)), ...(await featuresOf(verified.id))]
      // What a kill had left behind would still be there.
      expect(await withStore(site.dataDir, divergentRows)).toEqual([])
      const repeated = Math.max(0, changes.length - 5)
      const title = 'Killed between a decision about the directory and the guild'
      noteFault('F1s', { title, runs: 4, lost, repeated, reordered: 0, divergent: 0, stuck_s: 0 })
      expect({ listed, repeated }).toStrictEqual({ listed: wanted, repeated: 0 })
    })
  })
}
