import { blocklists, underscored, type Blocklist } from '../../../../domain/blocklist-entry/lists.js'
import { admin } from '../../callers.js'
import { none, operation, type Operation } from '../../operation.js'
import {
  entriesPage,
  entriesQuery,
  entryChanges,
  entryParams,
  goneHashes,
  goneSubstrings,
  isBanned,
  listTypes,
  newEntries,
  newFileHashes,
  queuedJob,
  scopeQuery,
} from '../../schemas/administration/blocklists.js'
import { adminBan } from './buckets.js'

/** Each list has routes of its own, since each has ACLs, values and bounds of its own (reference stores 4.13). */

type Suffix = 'add' | 'check' | 'remove'

const aclOf = (list: Blocklist, suffix: Suffix) => `ban:${underscored(list)}:${suffix}`
const callers = (list: Blocklist, suffix: Suffix) => admin({ acls: [aclOf(list, suffix)] })

/** The address of an e-mail entry is personal, and so are more values than one: neither is a target's id. */
const targetOf = (list: Blocklist, values: readonly { readonly value: string }[]) => {
  const [{ value } = { value: '0' }] = values
  return { type: underscored(list), id: values.length === 1 && list !== 'email' ? value : '0' }
}

export const listBlocklistsOperation = operation({
  name: 'List blocklists',
  route: 'GET /v1/admin/blocklists',
  callers: admin({ acls: ['admin:authenticate'], anyOf: blocklists.map((list) => aclOf(list, 'check')) }),
  bucket: adminBan,
  params: none,
  query: none,
  body: none,
  replies: { 200: listTypes },
  adminAudit: { action: 'list_blocklists', target: () => ({ type: 'blocklist', id: '0' }) },
  handle: () => Promise.resolve({ lists: blocklists }),
})

const listEntries = (list: Blocklist) =>
  operation({
    name: `List ${list} blocklist entries`,
    route: `GET /v1/admin/blocklists/${list}/entries`,
    callers: callers(list, 'check'),
    bucket: adminBan,
    params: none,
    query: entriesQuery,
    body: none,
    replies: { 200: entriesPage },
    adminAudit: {
      action: 'list_blocklist_entries',
      target: () => targetOf(list, []),
      metadata: ({ query }, { items }) => ({ limit: String(query.limit), result_count: String(items.length) }),
    },
    handle: ({ query }, { blocklists: ours }) => ours.list({ ...query, list }),
  })

const addEntries = (list: Blocklist) =>
  operation({
    name: `Add ${list} blocklist entry`,
    route: `POST /v1/admin/blocklists/${list}/entries`,
    callers: callers(list, 'add'),
    bucket: adminBan,
    params: none,
    query: none,
    body: newEntries(list),
    replies: { 204: none },
    adminAudit: {
      action: `ban_${underscored(list)}`,
      target: ({ body }) => targetOf(list, body.values),
      metadata: ({ body }) => ({
        value_count: String(body.values.length),
        category: body.details.category,
        severity: String(body.details.severity),
      }),
    },
    refuses: list === 'ip' ? ['IP_BAN_DECLINED'] : [],
    handle: ({ caller, body: { details, ...values } }, { blocklists: ours }) =>
      ours.add(caller, { ...values, list }, details),
  })

const checkEntry = (list: Blocklist) =>
  operation({
    name: `Check ${list} blocklist entry`,
    route: `GET /v1/admin/blocklists/${list}/entries/:value`,
    callers: callers(list, 'check'),
    bucket: adminBan,
    params: entryParams(list),
    query: scopeQuery,
    body: none,
    replies: { 200: isBanned },
    adminAudit: {
      action: 'check_blocklist_entry',
      target: ({ params }) => targetOf(list, [params.value]),
      metadata: (_, { banned }) => ({ banned: String(banned) }),
    },
    handle: ({ caller, params, query: scope }, { blocklists: ours }) =>
      ours.check(caller, { list, scope, values: [params.value] }),
  })

const changeEntry = (list: Blocklist) =>
  operation({
    name: `Update ${list} blocklist entry`,
    route: `PATCH /v1/admin/blocklists/${list}/entries/:value`,
    callers: callers(list, 'add'),
    bucket: adminBan,
    params: entryParams(list),
    query: scopeQuery,
    body: entryChanges,
    replies: { 204: none },
    adminAudit: {
      action: 'update_blocklist_entry',
      target: ({ params }) => targetOf(list, [params.value]),
      metadata: ({ body }) => ({ changed: Object.keys(body).join(',') }),
    },
    refuses: list === 'ip' ? ['IP_BAN_DECLINED', 'NOT_FOUND'] : ['NOT_FOUND'],
    handle: ({ caller, params, query: scope, body }, { blocklists: ours }) =>
      ours.change(caller, { list, scope, values: [params.value] }, body),
  })

const removeEntry = (list: Blocklist) =>
  operation({
    name: `Remove ${list} blocklist entry`,
    route: `DELETE /v1/admin/blocklists/${list}/entries/:value`,
    callers: callers(list, 'remove'),
    bucket: adminBan,
    params: entryParams(list),
    query: scopeQuery,
    body: none,
    replies: { 204: none },
    adminAudit: { action: `unban_${underscored(list)}`, target: ({ params }) => targetOf(list, [params.value]) },
    handle: ({ caller, params, query: scope }, { blocklists: ours }) =>
      ours.remove(caller, { list, scope, values: [params.value] }),
  })

const removeEntries = (list: 'avatar-hash' | 'profile-substring') =>
  operation({
    name: `Remove ${list} blocklist entries`,
    route: `DELETE /v1/admin/blocklists/${list}/entries`,
    callers: callers(list, 'remove'),
    bucket: adminBan,
    params: none,
    query: none,
    body: list === 'avatar-hash' ? goneHashes : goneSubstrings,
    replies: { 204: none },
    adminAudit: {
      action: `unban_${underscored(list)}`,
      target: ({ body }) => targetOf(list, body.values),
      metadata: ({ body }) => ({ value_count: String(body.values.length) }),
    },
    handle: ({ caller, body }, { blocklists: ours }) => ours.remove(caller, { ...body, list }),
  })

export const addFileHashesOperation = operation({
  name: 'Add file-sha blocklist entries',
  route: 'PUT /v1/admin/blocklists/file-sha/entries',
  callers: callers('file-sha', 'add'),
  bucket: adminBan,
  params: none,
  query: none,
  body: newFileHashes,
  replies: { 200: queuedJob },
  adminAudit: {
    action: 'ban_file_sha',
    target: (_, { job_id: id }) => ({ type: 'job', id }),
    metadata: ({ body }) => ({ value_count: String(body.values.length), category: body.details.category }),
  },
  handle: ({ caller, body }, { blocklists: ours }) => ours.addFileHashes(caller, body.values, body.details),
})

/** Every operation on blocklists. */
export const blocklistOperations: readonly Operation[] = [
  listBlocklistsOperation,
  ...blocklists.flatMap((list) => [
    listEntries(list),
    addEntries(list),
    checkEntry(list),
    changeEntry(list),
    removeEntry(list),
  ]),
  removeEntries('avatar-hash'),
  removeEntries('profile-substring'),
  addFileHashesOperation,
]
