import type { DirectoryListing } from '../../../domain/discovery-application/listing.ts'
import type { GuildFeature } from '../../../domain/guild/features.ts'
import { guildId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf, found, type TestGuild } from './answers.ts'

type Client = Pick<TestAccount, 'token'>

/** A listing as clients send it. */
export const chess = { description: 'A place for chess', category_type: 0 } as const

export const chessListing: DirectoryListing = {
  description: chess.description,
  categoryType: chess.category_type,
  primaryLanguage: 'en-US',
  customTags: [],
}

/** The operations of the guild's side. */
export function directoryOf({ request }: Pick<TestGuildhall, 'request'>) {
  const path = (id: string): string => `/v1/guilds/${id}/discovery`
  return {
    apply: ({ token }: Client, id: string, body: unknown = chess): Promise<TestAnswer> =>
      request('POST', path(id), { token, body }),
    update: ({ token }: Client, id: string, body: unknown): Promise<TestAnswer> =>
      request('PATCH', path(id), { token, body }),
    withdraw: ({ token }: Client, id: string): Promise<TestAnswer> => request('DELETE', path(id), { token }),
    status: ({ token }: Client, id: string): Promise<TestAnswer> => request('GET', path(id), { token }),
  }
}

/** The operations of everyone. */
export function publicDirectoryOf({ request }: Pick<TestGuildhall, 'request'>) {
  return {
    search: ({ token }: Client, query: Readonly<Record<string, string>> = {}): Promise<TestAnswer> =>
      request('GET', `/v1/discovery/guilds?${new URLSearchParams(query).toString()}`, { token }),
    categories: ({ token }: Client): Promise<TestAnswer> => request('GET', '/v1/discovery/categories', { token }),
    join: ({ token }: Client, id: string, headers = {}): Promise<TestAnswer> =>
      request('POST', `/v1/discovery/guilds/${id}/join`, { token, headers }),
  }
}

/** The operations of administrators, by one who holds their ACLs. */
export function reviewsOf({ request }: Pick<TestGuildhall, 'request'>, { token }: Client) {
  const base = '/v1/admin/discovery'
  const headers = { 'x-audit-log-reason': 'weekly round' }
  return {
    pending: () => request('GET', `${base}/applications`, { token }),
    review: (id: string, body: unknown) => request('PATCH', `${base}/applications/${id}`, { token, body, headers }),
    approve: (id: string) => request('PATCH', `${base}/applications/${id}`, { token, body: { status: 'approved' } }),
    queue: (query = '') => request('GET', `${base}/queue${query}`, { token }),
    claim: (id: string) => request('PUT', `${base}/applications/${id}/claim`, { token }),
    release: (id: string) => request('DELETE', `${base}/applications/${id}/claim`, { token }),
    categories: () => request('GET', `${base}/categories`, { token }),
    category: (id: number | string, query = '') =>
      request('GET', `${base}/categories/${id}/listings${query}`, { token }),
    listings: () => request('GET', `${base}/listings`, { token }),
    move: (body: unknown) => request('PATCH', `${base}/listings`, { token, body }),
    edit: (id: string, body: unknown) => request('PATCH', `${base}/listings/${id}`, { token, body }),
    remove: (id: string, body: unknown = { reason: 'spam' }) =>
      request('DELETE', `${base}/listings/${id}`, { token, ...(body === null ? {} : { body }) }),
  }
}

/** A guild that has applied. */
export async function applied(guildhall: TestGuildhall, owner: TestAccount, body: unknown = chess): Promise<TestGuild> {
  const guild = await found(guildhall, owner)
  bodyOf(await directoryOf(guildhall).apply(owner, guild.id, body))
  return guild
}

/** The features of a guild in history. */
export async function featuresOf({ ports }: TestGuildhall, id: string): Promise<readonly GuildFeature[]> {
  const { state } = await ports.aggregates.guild.load(guildId(snowflake(id)))
  return state.status === 'active' ? state.features : []
}

/** Whether the guild is in the directory by its own features, and by its application: both are the same once all is settled. */
export async function isListed(guildhall: TestGuildhall, id: string): Promise<readonly [boolean, boolean]> {
  const { state } = await guildhall.ports.aggregates.discoveryApplication.load(guildId(snowflake(id)))
  return [(await featuresOf(guildhall, id)).includes('DISCOVERABLE'), state.status === 'approved']
}

/** The types of the events in the application's stream. */
export async function eventsOf({ store }: TestGuildhall, id: string): Promise<readonly string[]> {
  const types: string[] = []
  for await (const page of store.events.readStream(`discovery_application-${id}`, -1))
    for (const { type } of page) types.push(type)
  return types
}
