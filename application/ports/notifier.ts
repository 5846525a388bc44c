/**
 * Carries short texts between the processes of an instance, by topic. A text is delivered at most once, to the processes that
 * listen at that moment: whoever must not miss one looks for itself now and then.
 */
export interface Notifier {
  /** Hears what other processes tell on a topic, which is an SQL name in lower case. Returns a function that ends this. */
  subscribe(topic: string, subscriber: Subscriber): () => void
  /**
   * Tells the other processes. While one text of a kind is on its way, or Postgres is away, only the newest of the following texts
   * of that kind is kept. By default a topic has one kind.
   */
  tell(topic: string, text: string, kind?: string): void
}

export interface Subscriber {
  /** Called with each text, and with the id of the Postgres process that told it. Texts of this notifier itself are not heard. */
  readonly onText: (text: string, from: number) => void
  /** Called once the topic is heard, and again after each gap: what was told before may have been missed. */
  readonly onHearing?: () => void
}
