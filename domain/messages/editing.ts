import type { AccountId } from '../ids/ids.js'
import { editedFlags } from './message-flags.js'
import { isEditable } from './message-types.js'

/** What an edit looks at of the message that stands. */
export interface EditableMessage {
  readonly authorId: AccountId
  readonly type: number
  readonly content: string
  readonly flags: number
}

/** Who edits. */
export interface Editor {
  readonly accountId: AccountId
  /** Why it may not manage messages there; undefined where it may. */
  readonly managing: 'MISSING_PERMISSIONS' | 'TWO_FACTOR_REQUIRED' | undefined
}

/** What somebody wants of a message; undefined for what is to stay. */
export interface WantedEdit {
  readonly content?: string | undefined
  readonly flags?: number | undefined
}

export type EditRefusal = 'CANNOT_EDIT_OTHER_USER_MESSAGE' | 'TWO_FACTOR_REQUIRED'

export type EditDecision =
  | { readonly refused: EditRefusal }
  /** What is different afterwards: nothing for an edit that changes nothing. */
  | { readonly refused?: undefined; readonly content?: string; readonly flags?: number }

/**
 * What an edit changes. Only the author changes what a message says, and only of one that somebody wrote; who manages messages
 * may hide its embeds and show them again (reference gateway 5.7).
 */
export function decideEdit(message: EditableMessage, editor: Editor, wanted: WantedEdit): EditDecision {
  const isAuthor = editor.accountId === message.authorId
  if (!isEditable(message.type)) return { refused: 'CANNOT_EDIT_OTHER_USER_MESSAGE' }
  if (!isAuthor && wanted.content !== undefined) return { refused: 'CANNOT_EDIT_OTHER_USER_MESSAGE' }
  if (!isAuthor && editor.managing !== undefined)
    return {
      refused: editor.managing === 'TWO_FACTOR_REQUIRED' ? editor.managing : 'CANNOT_EDIT_OTHER_USER_MESSAGE',
    }
  const flags = wanted.flags === undefined ? message.flags : editedFlags(message.flags, wanted.flags)
  return {
    ...(wanted.content === undefined || wanted.content === message.content ? {} : { content: wanted.content }),
    ...(flags === message.flags ? {} : { flags }),
  }
}
