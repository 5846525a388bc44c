import type { ErrorCode } from '../kernel/error-codes.ts'
import type { AccountId } from '../ids/ids.ts'
import type { Embed } from './embeds.ts'
import { editedFlags } from './message-flags.ts'
import { isEditable } from './message-types.ts'

/** The parts of a message that an edit depends on. */
export interface EditableMessage {
  readonly authorId: AccountId
  readonly type: number
  readonly content: string
  readonly flags: number
}

/** The one who edits. */
export interface Editor {
  readonly accountId: AccountId
  /** Why the editor may not manage messages there; undefined if it may. */
  readonly managing: ErrorCode | undefined
}

/** The requested changes; undefined for what stays. */
export interface WantedEdit {
  readonly content?: string | undefined
  readonly flags?: number | undefined
  readonly embeds?: readonly Embed[] | undefined
  /** New ones, besides what it says of those that are there. */
  readonly files?: readonly unknown[] | undefined
  /** Null as undefined. */
  readonly allowedMentions?: object | null | undefined
}

export type EditRefusal = 'CANNOT_EDIT_OTHER_USER_MESSAGE' | 'CANNOT_MODIFY_SYSTEM_WEBHOOK' | 'TWO_FACTOR_REQUIRED'

export type EditDecision =
  | { readonly refused: EditRefusal }
  /** The changes, which are empty if nothing differs. */
  | { readonly refused?: undefined; readonly content?: string; readonly flags?: number }

/**
 * Decides what an edit changes. Only the author can change the text of a message, and system messages cannot be edited.
 * Others who manage messages can hide its embeds and show them again.
 */
export function decideEdit(message: EditableMessage, editor: Editor, wanted: WantedEdit): EditDecision {
  const isAuthor = editor.accountId === message.authorId
  if (!isEditable(message.type)) return { refused: 'CANNOT_MODIFY_SYSTEM_WEBHOOK' }
  if (!isAuthor && changesWhatIsSaid(wanted)) return { refused: 'CANNOT_EDIT_OTHER_USER_MESSAGE' }
  if (!isAuthor && editor.managing !== undefined)
    return {
      refused: editor.managing === 'TWO_FACTOR_REQUIRED' ? editor.managing : 'CANNOT_EDIT_OTHER_USER_MESSAGE',
    }
  const flags = wanted.flags === undefined ? message.flags : editedFlags(message.flags, wanted.flags, isAuthor)
  return {
    ...(wanted.content === undefined || wanted.content === message.content ? {} : { content: wanted.content }),
    ...(flags === message.flags ? {} : { flags }),
  }
}

function changesWhatIsSaid({ content, embeds, files = [], allowedMentions = null }: WantedEdit): boolean {
  return content !== undefined || embeds !== undefined || files.length > 0 || allowedMentions !== null
}
