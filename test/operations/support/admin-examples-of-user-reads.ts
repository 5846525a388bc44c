import type { AdminExample } from './admin-example.ts'

/** A read of something below an account: it succeeds for a new account, and is refused for an unknown one. */
function readOf(below: string): AdminExample {
  const path = (id: string): string => `/v1/admin/users/${id}/${below}`
  return {
    succeeds: async ({ guildhall }) => ({ path: path((await guildhall.register()).id) }),
    refused: () => ({ path: path('1'), status: 404 }),
  }
}

/** By the operation's name. */
export const userReadExamples: Readonly<Record<string, AdminExample>> = {
  'Get user': {
    succeeds: async ({ guildhall }) => ({ path: `/v1/admin/users/${(await guildhall.register()).id}` }),
    refused: () => ({ path: '/v1/admin/users/none', status: 400 }),
  },
  'List users': {
    succeeds: async ({ guildhall }) => ({ path: `/v1/admin/users?user_id=${(await guildhall.register()).id}` }),
    refused: () => ({ path: '/v1/admin/users?user_id=none', status: 400 }),
  },
  'List user guilds': readOf('guilds'),
  'List user direct message channels': readOf('dm-channels'),
  'List user applications': readOf('applications'),
  'List user relationships': readOf('relationships'),
  'List user sessions': readOf('sessions'),
  'List user WebAuthn credentials': readOf('webauthn-credentials'),
  'List user store purchases': readOf('store-purchases'),
  'List purchases': {
    succeeds: () => ({ path: '/v1/admin/store-purchases' }),
    refused: () => ({ path: '/v1/admin/store-purchases?after=none', status: 400 }),
  },
  'Refresh user store purchases': readOf('store-purchases/refresh'),
}
