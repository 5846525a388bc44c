import type { AdminExample, ExampleStage } from './admin-example.ts'
import { applied } from './discovery.ts'
import { bodyOf } from './answers.ts'

const base = '/v1/admin/discovery'
const unknownGuild = '1'

const pending = async ({ guildhall }: ExampleStage): Promise<string> =>
  (await applied(guildhall, await guildhall.register())).id

async function approved(stage: ExampleStage): Promise<string> {
  const id = await pending(stage)
  const { token } = stage.admin
  const body = { status: 'approved' }
  bodyOf(await stage.guildhall.request('PATCH', `${base}/applications/${id}`, { token, body }))
  return id
}

/** The review of the guild directory. */
export const discoveryExamples: Readonly<Record<string, AdminExample>> = {
  'List discovery applications': { succeeds: () => ({ path: `${base}/applications` }), refused: null },
  'Review discovery application': {
    succeeds: async (stage) => ({
      path: `${base}/applications/${await pending(stage)}`,
      body: { status: 'rejected', reason: 'too small' },
    }),
    refused: () => ({ path: `${base}/applications/${unknownGuild}`, body: { status: 'approved' }, status: 404 }),
  },
  'List discovery categories': { succeeds: () => ({ path: `${base}/categories` }), refused: null },
  'List guilds in a discovery category': {
    succeeds: () => ({ path: `${base}/categories/0/listings` }),
    refused: () => ({ path: `${base}/categories/9/listings`, status: 400 }),
  },
  'List discovery review queue': {
    succeeds: () => ({ path: `${base}/queue` }),
    refused: () => ({ path: `${base}/queue?limit=0`, status: 400 }),
  },
  'Claim discovery application': {
    succeeds: async (stage) => ({ path: `${base}/applications/${await pending(stage)}/claim` }),
    refused: () => ({ path: `${base}/applications/${unknownGuild}/claim`, status: 404 }),
  },
  'Release discovery application': {
    succeeds: () => ({ path: `${base}/applications/${unknownGuild}/claim` }),
    refused: () => ({ path: `${base}/applications/nobody/claim`, status: 400 }),
  },
  'List discovery listings': { succeeds: () => ({ path: `${base}/listings` }), refused: null },
  'Move discovery listings to a category': {
    succeeds: async (stage) => ({
      path: `${base}/listings`,
      body: { guild_ids: [await approved(stage)], category_type: 3 },
    }),
    refused: () => ({ path: `${base}/listings`, body: { guild_ids: [], category_type: 3 }, status: 400 }),
  },
  'Update discovery listing': {
    succeeds: async (stage) => ({
      path: `${base}/listings/${await approved(stage)}`,
      body: { description: 'A place for chess and go' },
    }),
    refused: () => ({ path: `${base}/listings/${unknownGuild}`, body: {}, status: 404 }),
  },
  'Remove discovery listing': {
    succeeds: async (stage) => ({ path: `${base}/listings/${await approved(stage)}`, body: { reason: 'spam' } }),
    refused: () => ({ path: `${base}/listings/${unknownGuild}`, body: { reason: 'spam' }, status: 404 }),
  },
}
