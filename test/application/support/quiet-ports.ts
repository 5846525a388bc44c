import type { Ports } from '../../../application/ports.ts'
import { attachmentAddresses } from '../../../adapters/media/attachments/signed-addresses.ts'
import { uploadAddresses } from '../../../adapters/media/attachments/upload-addresses.ts'
import { noAttachmentFiles } from './nothing.ts'
import { plainInstance } from './plain-instance.ts'
import { successStatusOf } from '../../../adapters/http/operations/success-status.ts'
import { dispatchesOf } from '../../../gateway/dispatches/dispatches-of.ts'

/** Ports that tests of use cases do not look at: everybody has started a session, and nothing is known of any address. */
export const quietPorts: Pick<
  Ports,
  | 'asOf'
  | 'attachmentAddresses'
  | 'attachmentFiles'
  | 'discoveryClaims'
  | 'dispatchesOf'
  | 'instanceStatus'
  | 'networkLookups'
  | 'startedSessions'
  | 'successStatusOf'
  | 'typing'
  | 'uploadAddresses'
> = {
  asOf: () => {
    throw new Error('No test of use cases undoes an act')
  },
  attachmentAddresses: attachmentAddresses(Buffer.alloc(32, 4), () => plainInstance.publicUrl),
  attachmentFiles: noAttachmentFiles,
  discoveryClaims: {
    claim: (wanted) => Promise.resolve(wanted),
    release: () => Promise.resolve(),
    running: () => Promise.resolve([]),
  },
  dispatchesOf,
  successStatusOf,
  typing: { start: () => undefined },
  uploadAddresses: uploadAddresses(Buffer.alloc(32, 4), () => plainInstance.publicUrl),
  instanceStatus: {
    processId: 'none',
    health: () => ({ ready: true, missing: [], without: [] }),
    processes: async () => [],
    readModels: async () => [],
    parked: async () => [],
    counts: () => Promise.reject(new Error('There is no process')),
  },
  networkLookups: {
    hostName: async () => null,
    location: async () => ({ location: null, failed: false }),
  },
  startedSessions: {
    note: async () => undefined,
    has: async () => true,
    withoutFlag: async () => [],
    flagged: async () => undefined,
  },
}
