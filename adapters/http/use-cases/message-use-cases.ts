import { bulkDeleteMessages } from '../../../application/conversations/messages/bulk-delete-messages.js'
import { createMessage } from '../../../application/conversations/messages/create-message.js'
import { deleteMessage } from '../../../application/conversations/messages/delete-message.js'
import { deleteOwnMessages } from '../../../application/conversations/messages/delete-own-messages.js'
import { editMessage } from '../../../application/conversations/messages/edit-message.js'
import { getMessage, listMessages } from '../../../application/conversations/messages/read-messages.js'
import type { Ports } from '../../../application/ports.js'

/** What people write, read and take back. */
export function messageUseCases(ports: Ports) {
  return {
    bulkDelete: bulkDeleteMessages(ports),
    create: createMessage(ports),
    delete: deleteMessage(ports),
    deleteOwn: deleteOwnMessages(ports),
    edit: editMessage(ports),
    get: getMessage(ports),
    list: listMessages(ports),
  }
}
