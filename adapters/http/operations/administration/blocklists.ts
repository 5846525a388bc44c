import { blocklists, underscored, type Blocklist } from '../../../../domain/blocklist-entry/lists.ts'
import { addFileHashes } from '../../../../application/administration/blocklists/many-file-hashes.ts'
import {
  addToBlocklist,
  changeBlocklistEntry,
  removeFromBlocklist,
} from '../../../../application/administration/blocklists/change-blocklists.ts'
import {
  checkBlocklist,
  listBlocklistEntries,
} from '../../../../application/administration/blocklists/read-blocklists.ts'
import { admin } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
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
} from '../../schemas/administration/blocklists.ts'
import { adminBan } from './buckets.ts'

/** Each list has its own routes, because each has its own ACLs, values and bounds. */

type Suffix = 'add' | 'check' | 'remove'

const aclOf = (list: Blocklist, suffix: Suffix) => `ban:${underscored(list)}:${suffix}` as const
const callers = (list: Blocklist, suffix: Suffix) => admin({ acls: [aclOf(list, suffix)] })

/** The address of an e-mail entry is personal, and a list of several values may be: neither becomes a target id. */
const targetIdOf = (list: Blocklist, values: readonly { readonly value: string }[]) => {
  const [{ value } = { value: '0' }] = values
  return values.length === 1 && list !== 'email' ? value : '0'
}

const listBlocklistsOperation = operation({
  name: 'List blocklists',
  description: 'Names the blocklists.',
  route: 'GET /v1/admin/blocklists',
  callers: admin({ acls: ['admin:authenticate'], anyOf: blocklists.map((list) => aclOf(list, 'check')) }),
  bucket: adminBan,
  replies: { 200: listTypes },
  adminAudit: { action: 'list_blocklists', target: 'blocklist' },
  handle: () => Promise.resolve({ lists: blocklists }),
})

const listEntries = (list: Blocklist) =>
  operation({
    name: `List ${list} blocklist entries`,
    description: `A page of the ${list} blocklist, newest first.`,
    route: `GET /v1/admin/blocklists/${list}/entries`,
    callers: callers(list, 'check'),
    bucket: adminBan,
    query: entriesQuery,
    replies: { 200: entriesPage },
    adminAudit: {
      action: 'list_blocklist_entries',
      target: underscored(list),
      metadata: ({ query }, { items }) => ({ limit: String(query.limit), result_count: String(items.length) }),
    },
    useCase: listBlocklistEntries,
    handle: ({ query }, run) => run({ ...query, list }),
  })

const addEntries = (list: Blocklist) =>
  operation({
    name: `Add ${list} blocklist entry`,
    description: `Adds values to the ${list} blocklist.`,
    route: `POST /v1/admin/blocklists/${list}/entries`,
    callers: callers(list, 'add'),
    bucket: adminBan,
    body: newEntries(list),
    replies: { 204: none },
    adminAudit: {
      action: `ban_${underscored(list)}`,
      target: underscored(list),
      targetId: ({ body }) => targetIdOf(list, body.values),
      metadata: ({ body }) => ({
        value_count: String(body.values.length),
        category: body.details.category,
        severity: String(body.details.severity),
      }),
    },
    refuses: list === 'ip' ? ['IP_BAN_DECLINED'] : [],
    useCase: addToBlocklist,
    handle: ({ caller, body: { details, ...values } }, run) => run(caller, { ...values, list }, details),
  })

const checkEntry = (list: Blocklist) =>
  operation({
    name: `Check ${list} blocklist entry`,
    description: `Tells whether the ${list} blocklist has an entry for the value.`,
    route: `GET /v1/admin/blocklists/${list}/entries/:value`,
    callers: callers(list, 'check'),
    bucket: adminBan,
    params: entryParams(list),
    query: scopeQuery,
    replies: { 200: isBanned },
    adminAudit: {
      action: 'check_blocklist_entry',
      target: underscored(list),
      targetId: ({ params }) => targetIdOf(list, [params.value]),
      metadata: (_, { banned }) => ({ banned: String(banned) }),
    },
    useCase: checkBlocklist,
    handle: ({ caller, params, query: scope }, run) => run(caller, { list, scope, values: [params.value] }),
  })

const changeEntry = (list: Blocklist) =>
  operation({
    name: `Update ${list} blocklist entry`,
    description: `Changes an entry of the ${list} blocklist.`,
    route: `PATCH /v1/admin/blocklists/${list}/entries/:value`,
    callers: callers(list, 'add'),
    bucket: adminBan,
    params: entryParams(list),
    query: scopeQuery,
    body: entryChanges,
    replies: { 204: none },
    adminAudit: {
      action: 'update_blocklist_entry',
      target: underscored(list),
      targetId: ({ params }) => targetIdOf(list, [params.value]),
      metadata: ({ body }) => ({ changed: Object.keys(body).join(',') }),
    },
    refuses: list === 'ip' ? ['IP_BAN_DECLINED', 'NOT_FOUND'] : ['NOT_FOUND'],
    useCase: changeBlocklistEntry,
    handle: ({ caller, params, query: scope, body }, run) => run(caller, { list, scope, values: [params.value] }, body),
  })

const removeEntry = (list: Blocklist) =>
  operation({
    name: `Remove ${list} blocklist entry`,
    description: `Removes a value from the ${list} blocklist.`,
    route: `DELETE /v1/admin/blocklists/${list}/entries/:value`,
    callers: callers(list, 'remove'),
    bucket: adminBan,
    params: entryParams(list),
    query: scopeQuery,
    replies: { 204: none },
    adminAudit: {
      action: `unban_${underscored(list)}`,
      target: underscored(list),
      targetId: ({ params }) => targetIdOf(list, [params.value]),
    },
    useCase: removeFromBlocklist,
    handle: ({ caller, params, query: scope }, run) => run(caller, { list, scope, values: [params.value] }),
  })

const removeEntries = (list: 'avatar-hash' | 'profile-substring') =>
  operation({
    name: `Remove ${list} blocklist entries`,
    description: `Removes several values from the ${list} blocklist.`,
    route: `DELETE /v1/admin/blocklists/${list}/entries`,
    callers: callers(list, 'remove'),
    bucket: adminBan,
    body: list === 'avatar-hash' ? goneHashes : goneSubstrings,
    replies: { 204: none },
    adminAudit: {
      action: `unban_${underscored(list)}`,
      target: underscored(list),
      targetId: ({ body }) => targetIdOf(list, body.values),
      metadata: ({ body }) => ({ value_count: String(body.values.length) }),
    },
    useCase: removeFromBlocklist,
    handle: ({ caller, body }, run) => run(caller, { ...body, list }),
  })

const addFileHashesOperation = operation({
  name: 'Add file-sha blocklist entries',
  description: 'Queues a job that adds many hashes to the file-sha blocklist.',
  route: 'PUT /v1/admin/blocklists/file-sha/entries',
  callers: callers('file-sha', 'add'),
  bucket: adminBan,
  body: newFileHashes,
  replies: { 200: queuedJob },
  adminAudit: {
    action: 'ban_file_sha',
    target: 'job',
    targetId: (_, { job_id: id }) => id,
    metadata: ({ body }) => ({ value_count: String(body.values.length), category: body.details.category }),
  },
  useCase: addFileHashes,
  handle: ({ caller, body }, run) => run(caller, body.values, body.details),
})

/** Operations on blocklists. */
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
