import { z } from 'zod'
import { applyForDiscovery, call, type ApiRequest, type Person } from '../../support/load-api.js'
import type { TestGuildhall } from '../../support/test-guildhall.js'
import { appendFeatures } from '../append-features.js'

const found = z.object({ guilds: z.array(z.object({ id: z.string() })) })

/** Lists a guild in the directory. Gives a search of everything that is listed, which gives the ids. */
export async function listGuild(
  { url, store }: Pick<TestGuildhall, 'url' | 'store'>,
  owner: Person,
  id: string,
): Promise<ApiRequest<readonly string[]>> {
  // It needs no review.
  await appendFeatures(store.events, id, ['VERIFIED'])
  await call(url, applyForDiscovery(owner, id))
  return {
    method: 'GET',
    path: '/v1/discovery/guilds',
    token: owner.token,
    parse: (body) => found.parse(body).guilds.map((guild) => guild.id),
  }
}
