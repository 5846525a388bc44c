/** What can be done to messages of each type, by its number (reference gateway 3.7). */

const written: readonly number[] = [0, 19]
const deletable: readonly number[] = [0, 6, 7, 19]

/** Whether somebody wrote it: only such a message can be edited. */
export function isEditable(type: number): boolean {
  return written.includes(type)
}

/** Whether it can be replied to. */
export function isReplyable(type: number): boolean {
  return written.includes(type)
}

/** Whether it can be deleted by somebody; every message goes with its channel, and with its author's wish to delete all. */
export function isDeletable(type: number): boolean {
  return deletable.includes(type)
}
