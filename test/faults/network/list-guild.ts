import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { z } from 'zod'
import { applyForDiscovery, call, createGuild, type ApiRequest, type Person } from '../../support/load-api.ts'
import type { TestGuildhall } from '../../support/test-guildhall.ts'
import { appendFeatures } from '../append-features.ts'

/** A guild in the directory that nobody else takes out of it. */
export interface ListedGuild {
  readonly id: string
  /** Searches the directory for its name; gives the ids of what is found. */
  readonly search: ApiRequest<readonly string[]>
}

const found = z.object({ guilds: z.array(z.object({ id: z.string() })) })

/** Founds a guild and lists it in the directory. Resolves once it is found. */
export async function listGuild(
  { url, store }: Pick<TestGuildhall, 'url' | 'store'>,
  owner: Person,
): Promise<ListedGuild> {
  const name = `Listed ${randomUUID().slice(0, 8)}`
  const { id } = await call(url, createGuild(owner, name))
  // It needs no review.
  await appendFeatures(store.events, id, ['VERIFIED'])
  await call(url, applyForDiscovery(owner, id))
  const search: ListedGuild['search'] = {
    method: 'GET',
    path: `/v1/discovery/guilds?query=${encodeURIComponent(name)}`,
    token: owner.token,
    parse: (body) => found.parse(body).guilds.map((guild) => guild.id),
  }
  await expect.poll(() => call(url, search)).toEqual([id])
  return { id, search }
}
