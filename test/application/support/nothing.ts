import { archiveLinks } from '../../../application/identity/archives/download-links.ts'
import { sealedBox } from '../../../application/secrets/sealed-box.ts'
import type { AttachmentFiles } from '../../../application/ports/attachments.ts'
import type { Ports } from '../../../application/ports.ts'
import type { Uploads } from '../../../application/ports/uploads.ts'
import { noLinkPreviews } from '../../../adapters/link-previews/open-link-previews.ts'

/** Here nothing can be read as an image. */
const noImages: Ports['images'] = {
  read: async () => 'unreadable',
  copy: async () => false,
  remove: async () => undefined,
  removeAllOf: async () => undefined,
  contentsOf: async () => [],
  async *kept() {},
}

/** Notes of erased accounts are tested with Postgres: here each has one already. */
const noErasureNotes: Ports['erasureNotes'] = {
  has: async () => true,
  add: async () => undefined,
  sweep: async () => undefined,
}

/** Archives are tested with Postgres. */
const noArchives: Pick<Ports, 'archives' | 'archiveLinkBox'> = {
  archives: {
    add: async () => undefined,
    find: async () => undefined,
    latestOf: async () => undefined,
    list: async () => [],
    open: async () => undefined,
    removeAllOf: async () => undefined,
  },
  archiveLinkBox: sealedBox(new Uint8Array(32), archiveLinks),
}

/** Jobs are tested with Postgres. */
const noBackgroundJobs: Ports['backgroundJobs'] = {
  add: async () => undefined,
  find: async () => undefined,
  outcomes: async () => [],
  list: async () => [],
  ofRequest: async () => [],
  active: async () => [],
  cancel: async () => false,
}

/** The messages of an author are tested with Postgres. */
const noAuthorMessages: Ports['authorMessages'] = {
  count: async () => ({ message_count: 0, channel_count: 0, pagedChannel_count: 0, newest: null }),
  page: async () => [],
  imagesShown: async () => [],
  shred: async () => 0,
  pass: async () => undefined,
  shredded: async () => ({ deleted_count: 0, last: null }),
  anonymousAuthorOf: async () => undefined,
  addSpareAuthors: async () => undefined,
  spareAuthorCount: async () => 0,
  drawAnonymousAuthor: async () => undefined,
  anonymise: async () => undefined,
  anonymiseForwards: async () => false,
  forgetAnswered: async () => false,
  notePassedWithout: async () => 0,
  anonymiseReplies: async () => false,
  notePassed: async () => undefined,
  forgetAnonymousAuthor: async () => undefined,
}

/** Notes are tested with Postgres. */
const noAccountNotes: Ports['accountNotes'] = {
  of: async () => new Map(),
  find: async () => undefined,
  set: async () => undefined,
  removeAllOf: async () => undefined,
}

/** Mentions are tested with Postgres. */
const noRecentMentions: Ports['recentMentions'] = {
  page: async () => [],
  dismiss: async () => undefined,
  removeAllOf: async () => undefined,
}

/** Saved messages are tested with Postgres. */
const noSavedMessages: Ports['savedMessages'] = {
  count: async () => 0,
  save: async () => undefined,
  page: async () => [],
  remove: async () => undefined,
  removeAllOf: async () => undefined,
}

/** Read states are tested with Postgres. */
const noReadStates: Ports['readStates'] = {
  acknowledge: () => Promise.reject(new Error('Nobody reads')),
  tell: async () => undefined,
  acknowledgePins: async () => undefined,
  clear: async () => true,
  beginCleared: async () => undefined,
  forgetLeft: async () => undefined,
  of: async () => [],
  removeAllOf: async () => undefined,
}

/** Nobody sends files. */
export const noAttachmentFiles: AttachmentFiles = {
  receive: () => Promise.reject(new Error('Nobody sends files')),
  receivePart: () => Promise.reject(new Error('Nobody sends files')),
  look: async () => undefined,
  scan: async () => 'clean',
  present: async () => new Set(),
  keep: () => Promise.reject(new Error('Nobody sends files')),
  copy: async () => false,
  discard: async () => undefined,
}

/** Nothing is published. */
const noCopies: Ports['copies'] = {
  publication: async () => undefined,
  publications: async () => [],
  putOff: async () => undefined,
  delivered: async () => undefined,
  note: async () => undefined,
  of: async () => [],
  changed: async () => [],
  putOffChange: async () => undefined,
  followed: async () => undefined,
}

/** Nobody uploads files. */
const noUploads: Uploads = {
  add: async () => undefined,
  find: async () => undefined,
  keepPart: async () => 'gone',
  readParts: async () => undefined,
  finish: async () => 'gone',
  drop: async () => undefined,
  spend: async () => false,
  giveBack: async () => undefined,
  forget: async () => undefined,
}

/** The ports beside history that hold nothing in tests of use cases. */
export const nothingBeside = {
  ...noArchives,
  authorMessages: noAuthorMessages,
  backgroundJobs: noBackgroundJobs,
  erasureNotes: noErasureNotes,
  linkPreviews: noLinkPreviews,
  contentFilter: { blocks: () => false },
  images: noImages,
  messageSearch: { search: async () => ({ messages: [], total_count: 0 }) },
  uploads: noUploads,
  readStates: noReadStates,
  savedMessages: noSavedMessages,
  recentMentions: noRecentMentions,
  accountNotes: noAccountNotes,
  copies: noCopies,
}
