/** The bits of a message's flags that this service sets or takes. */
export const messageFlags = {
  CROSSPOSTED: 1 << 0,
  IS_CROSSPOST: 1 << 1,
  SUPPRESS_EMBEDS: 1 << 2,
  SOURCE_MESSAGE_DELETED: 1 << 3,
  HAS_THREAD: 1 << 5,
  FAILED_TO_MENTION_SOME_ROLES_IN_THREAD: 1 << 8,
  SUPPRESS_NOTIFICATIONS: 1 << 12,
  VOICE_MESSAGE: 1 << 13,
} as const

const sendable = messageFlags.SUPPRESS_EMBEDS | messageFlags.SUPPRESS_NOTIFICATIONS | messageFlags.VOICE_MESSAGE

/** The flags that a sender may set; others are dropped. */
export function sentFlags(wanted: number): number {
  return wanted & sendable
}

/** The flags that an edit can change: the author what a sender may set, others whether embeds are shown. */
export function editableFlags(isAuthor: boolean): number {
  return isAuthor ? sendable : messageFlags.SUPPRESS_EMBEDS
}

/** The flags after an edit; bits that it cannot change are dropped. */
export function editedFlags(before: number, wanted: number, isAuthor: boolean): number {
  const editable = editableFlags(isAuthor)
  return (before & ~editable) | (wanted & editable)
}
