import type { Operation } from '../../operation.js'
import {
  bulkDeleteMessagesOperation,
  createMessageOperation,
  deleteMessageOperation,
  deleteOwnMessagesOperation,
  editMessageOperation,
  getMessageOperation,
  listMessagesOperation,
} from './messages.js'

/** Messages, wherever they stand. */
export const messageOperations: readonly Operation[] = [
  listMessagesOperation,
  createMessageOperation,
  bulkDeleteMessagesOperation,
  getMessageOperation,
  editMessageOperation,
  deleteMessageOperation,
  deleteOwnMessagesOperation,
]
