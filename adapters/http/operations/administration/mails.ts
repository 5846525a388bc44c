import { listMails } from '../../../../application/administration/mails/list-mails.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { mailsPage, mailsQuery } from '../../schemas/administration/mails.ts'
import { adminLookup } from './buckets.ts'

const listMailsOperation = operation({
  name: 'List mails',
  description:
    'The mails that wait, that were kept because there was no mail server, or that it refuses, with the newest first. Subject and text, which hold codes and links, are not shown; addresses are to holders of `user:view:email`.',
  route: 'GET /v1/admin/mails',
  // Mails are sent by background jobs.
  callers: admin({ acls: ['jobs:view'] }),
  bucket: adminLookup,
  query: mailsQuery,
  replies: { 200: mailsPage },
  adminAudit: {
    action: 'list_mails',
    target: 'mail',
    metadata: ({ query }, { mails }) => ({
      ...(query.state !== null && { state: query.state }),
      ...(query.accountId !== null && { user_id: query.accountId }),
      limit: String(query.limit),
      result_count: String(mails.length),
    }),
  },
  useCase: listMails,
  handle: ({ caller, query }, run) => run(caller, query),
})

/** Mails that were not sent. */
export const mailOperations: readonly Operation[] = [listMailsOperation]
