import type { Base } from './base.ts'
import type { CommandSide } from './open-command-side.ts'
import { repeatedly } from './repeatedly.ts'

const looks_ms = 30_000

/** Removes the files of deleted messages, and those that no message has taken. */
export function sweepAttachments(
  { options, closings, onError }: Base,
  { attachmentFiles }: Pick<CommandSide, 'attachmentFiles'>,
): void {
  const sweeping = repeatedly(options.looks_ms ?? looks_ms, () => attachmentFiles.sweep(), onError)
  closings.add(() => sweeping.stop())
}
