import type { AdminExample, ExampleRequest } from './admin-example.ts'

/** For each list: bodies that add a value, and the value as it appears in a path. */
const lists = {
  ip: { body: { ip: '93.184.216.34' }, value: '93.184.216.34' },
  email: { body: { email: 'spam@example.net' }, value: 'spam@example.net' },
  phrase: { body: { phrase: 'a very cheap watch' }, value: 'a very cheap watch' },
  url: { body: { url: 'https://spam.example/offer' }, value: 'https://spam.example/offer' },
  'url-domain': { body: { domain: 'spam.example' }, value: 'spam.example' },
  'file-sha': { body: { sha256_hex: 'ab'.repeat(32) }, value: 'ab'.repeat(32) },
  'avatar-hash': { body: { hashes: ['abcdef'] }, value: 'abcdef' },
  'profile-substring': { body: { substrings: ['cheap watch'], scope: 'bio' }, value: 'cheap watch' },
} as const

type List = keyof typeof lists

const entriesOf = (list: List): string => `/v1/admin/blocklists/${list}/entries`

function oneOf(list: List): ExampleRequest {
  const scope = list === 'profile-substring' ? '?scope=bio' : ''
  return { path: `${entriesOf(list)}/${encodeURIComponent(lists[list].value)}${scope}` }
}

/** The request, once the value is on the list. */
function listed(list: List, body?: unknown): AdminExample['succeeds'] {
  return async ({ guildhall: { request }, admin: { token } }) => {
    const added = await request('POST', entriesOf(list), { token, body: lists[list].body })
    if (added.status !== 204) throw new Error(`Listing was answered with ${added.status}`)
    return { ...oneOf(list), ...(body === undefined ? {} : { body }) }
  }
}

const wrong = (path: string, body?: unknown): AdminExample['refused'] => {
  return () => ({ path, ...(body === undefined ? {} : { body }), status: 400 })
}

const examplesOf = (list: List): Readonly<Record<string, AdminExample>> => ({
  [`List ${list} blocklist entries`]: {
    succeeds: () => ({ path: entriesOf(list) }),
    refused: wrong(`${entriesOf(list)}?limit=0`),
  },
  [`Add ${list} blocklist entry`]: {
    succeeds: () => ({ path: entriesOf(list), body: lists[list].body }),
    refused: wrong(entriesOf(list), {}),
  },
  [`Check ${list} blocklist entry`]: { succeeds: () => oneOf(list), refused: wrong(`${entriesOf(list)}/%20`) },
  [`Update ${list} blocklist entry`]: {
    succeeds: listed(list, { notes: 'seen again' }),
    refused: wrong(`${entriesOf(list)}/%20`, {}),
  },
  [`Remove ${list} blocklist entry`]: { succeeds: listed(list), refused: wrong(`${entriesOf(list)}/%20`) },
})

/** Blocklists. */
export const blocklistExamples: Readonly<Record<string, AdminExample>> = {
  'List blocklists': { succeeds: () => ({ path: '/v1/admin/blocklists' }), refused: null },
  ...examplesOf('ip'),
  ...examplesOf('email'),
  ...examplesOf('phrase'),
  ...examplesOf('url'),
  ...examplesOf('url-domain'),
  ...examplesOf('file-sha'),
  ...examplesOf('avatar-hash'),
  ...examplesOf('profile-substring'),
  'Remove avatar-hash blocklist entries': {
    succeeds: () => ({ path: entriesOf('avatar-hash'), body: { hashes: ['abcdef'] } }),
    refused: wrong(entriesOf('avatar-hash'), { hashes: [] }),
  },
  'Remove profile-substring blocklist entries': {
    succeeds: () => ({ path: entriesOf('profile-substring'), body: { substrings: ['cheap watch'], scope: 'bio' } }),
    refused: wrong(entriesOf('profile-substring'), { substrings: [] }),
  },
  'Add file-sha blocklist entries': {
    // What is listed already: its job, which may end before or after whatever a test looks at, has nothing to write.
    async succeeds(stage) {
      await listed('file-sha')(stage)
      return { path: entriesOf('file-sha'), body: { hashes: [lists['file-sha'].value] } }
    },
    refused: wrong(entriesOf('file-sha'), { hashes: ['x'] }),
  },
}
