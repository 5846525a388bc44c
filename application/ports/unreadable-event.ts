/** Stands in for an unreadable event when all events are read. It is never appended: no aggregate has an event of this name. */
export interface Unreadable {
  readonly type: 'Unreadable'
  readonly data: {
    readonly storedType: string
    /**
     * What this program does not know: the whole category, so that the event can't concern it; the type; or the data, which are
     * of a newer version or broken.
     */
    readonly unknown: 'category' | 'type' | 'data'
    /** At most `reasonCharacters_max` characters. */
    readonly reason: string
  }
}
