import type { ChannelId } from '../../../domain/ids/ids.ts'
import type { Caller, Credential } from '../../caller.ts'
import type { UploadHolder } from '../../ports/uploads.ts'

/** Who may spend what the caller uploads for a channel: the same account, with the same credential, in this channel. */
export function uploadHolder({ account, credential }: Caller, channelId: ChannelId): UploadHolder {
  return { channelId, accountId: account.id, holder: holderOf(credential) }
}

function holderOf(credential: Credential): string {
  if (credential.kind === 'session') return `session ${credential.tokenHash}`
  return credential.kind === 'bearer' ? `bearer ${credential.applicationId}` : credential.kind
}

/** Whether an upload is this holder's. */
export function isHeldBy(upload: UploadHolder, { channelId, accountId, holder }: UploadHolder): boolean {
  return upload.channelId === channelId && upload.accountId === accountId && upload.holder === holder
}
