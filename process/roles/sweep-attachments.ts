import type { Base } from './base.ts'
import type { CommandSide } from './open-command-side.ts'
import { repeatedly } from './repeatedly.ts'

const looks_ms = 30_000

/** Removes the files of deleted messages, those that no message has taken, and what was uploaded for none. */
export function sweepAttachments(
  { options, closings, onError }: Base,
  { attachmentFiles, uploads }: Pick<CommandSide, 'attachmentFiles' | 'uploads'>,
): void {
  const sweep = async (): Promise<void> => {
    await uploads.sweep()
    await attachmentFiles.sweep()
  }
  const sweeping = repeatedly(options.looks_ms ?? looks_ms, sweep, onError)
  closings.add(() => sweeping.stop())
}
