/** What can be done with messages of each type, by number. */

const written: readonly number[] = [0, 19]
const deletable: readonly number[] = [0, 6, 7, 19]

/** Whether an author wrote it: only such messages can be edited. */
export function isEditable(type: number): boolean {
  return written.includes(type)
}

/** Whether it can be replied to. */
export function isReplyable(type: number): boolean {
  return written.includes(type)
}

/** Whether somebody can delete it. Deleting its channel, or all messages of its author, deletes any message. */
export function isDeletable(type: number): boolean {
  return deletable.includes(type)
}
