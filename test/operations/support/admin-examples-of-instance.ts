import { bodyOf } from './answers.ts'
import type { AdminExample, ExampleStage } from './admin-example.ts'

const config = '/v1/admin/instance/config'
const urls = '/v1/admin/instance/registration-urls'
const pending = '/v1/admin/instance/pending-registrations'
const bans = '/v1/admin/network-bans'
const mails = '/v1/admin/mails'
const unknownJob = '/v1/admin/jobs/1'

/** The instance, its limits and its jobs. */
export const instanceExamples: Readonly<Record<string, AdminExample>> = {
  'Get instance configuration': { succeeds: () => ({ path: config }), refused: null },
  'Update instance configuration': {
    succeeds: () => ({ path: config, body: {} }),
    refused: () => ({ path: config, body: { registration: { mode: 'ajar' } }, status: 400 }),
  },
  'Set branding asset': {
    succeeds: () => ({ path: `${config}/branding-assets`, body: { kind: 'icon', image: null } }),
    refused: () => ({ path: `${config}/branding-assets`, body: { kind: 'none' }, status: 400 }),
  },
  'Test mail server': {
    succeeds: () => ({
      path: `${config}/smtp-tests`,
      body: { host: '127.0.0.1', port: 1, username: 'chat', password: 'none', secure: false },
    }),
    refused: () => ({ path: `${config}/smtp-tests`, body: {}, status: 400 }),
  },
  'Create registration URL': {
    succeeds: () => ({ path: urls, body: { label: 'Autumn', max_uses: 3 } }),
    refused: () => ({ path: urls, body: { max_uses: 0 }, status: 400 }),
  },
  'Revoke registration URL': {
    succeeds: async ({ guildhall: { request }, admin: { token } }) => {
      const made = bodyOf(await request('POST', urls, { token, body: {} }))['registration_url']
      return { path: `${urls}/${(made as { readonly id: string }).id}` }
    },
    refused: () => ({ path: `${urls}/none`, status: 400 }),
  },
  'Update pending registration': {
    succeeds: async ({ guildhall }) => ({
      path: `${pending}/${(await guildhall.register()).id}`,
      body: { status: 'approved' },
    }),
    refused: () => ({ path: `${pending}/1`, body: { status: 'approved' }, status: 404 }),
  },
  'Get limit configuration': { succeeds: () => ({ path: '/v1/admin/limit-config' }), refused: null },
  'Update limit configuration': {
    succeeds: async ({ guildhall: { request }, admin: { token } }) => {
      const { limit_config: standing } = bodyOf(await request('GET', '/v1/admin/limit-config', { token }))
      return { path: '/v1/admin/limit-config', body: { limit_config: standing } }
    },
    refused: () => ({ path: '/v1/admin/limit-config', body: {}, status: 400 }),
  },
  'Get instance status': { succeeds: () => ({ path: '/v1/admin/instance/status' }), refused: null },
  'Get instance metrics': { succeeds: () => ({ path: '/v1/admin/instance/metrics' }), refused: null },
  'List mails': {
    succeeds: () => ({ path: mails }),
    refused: () => ({ path: `${mails}?after=none`, status: 400 }),
  },
  'List network bans': {
    succeeds: () => ({ path: bans }),
    refused: () => ({ path: `${bans}?after=none`, status: 400 }),
  },
  'Ban network': {
    succeeds: () => ({ path: `${bans}/203.0.113.9`, body: { hours: 1, reason: 'spam' } }),
    refused: () => ({ path: `${bans}/10.0.0.1`, body: {}, status: 400 }),
  },
  'Lift network ban': {
    succeeds: async ({ guildhall: { request }, admin: { token } }) => {
      await request('PUT', `${bans}/203.0.113.10`, { token, body: {} })
      return { path: `${bans}/203.0.113.10` }
    },
    refused: () => ({ path: `${bans}/none`, status: 400 }),
  },
  'List background jobs': { succeeds: () => ({ path: '/v1/admin/jobs' }), refused: null },
  'List active background jobs': { succeeds: () => ({ path: '/v1/admin/jobs/active' }), refused: null },
  'Get background job': {
    succeeds: async (stage) => ({ path: `/v1/admin/jobs/${await jobOf(stage)}` }),
    refused: () => ({ path: unknownJob, status: 404 }),
  },
  'Cancel background job': {
    succeeds: async (stage) => ({ path: `/v1/admin/jobs/${await jobOf(stage)}/cancellation` }),
    refused: () => ({ path: `${unknownJob}/cancellation`, status: 404 }),
  },
}

/** A queued job. */
async function jobOf({ guildhall: { request }, admin: { token } }: ExampleStage): Promise<string> {
  const body = { hashes: ['ef'.repeat(32)] }
  return String(bodyOf(await request('PUT', '/v1/admin/blocklists/file-sha/entries', { token, body }))['job_id'])
}
