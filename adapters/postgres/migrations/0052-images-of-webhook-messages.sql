-- Finds whether a message shows an image of the webhook that posted it, before the image is removed.
create index messages_webhook_images on messages.messages (author_id, (webhook ->> 'avatar'))
  where webhook ->> 'avatar' is not null;
