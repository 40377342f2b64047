# The portal's server and its pages. compose.yaml starts it with PostgreSQL, a bucket and a mail relay.

FROM node:24.21.0-bookworm-slim AS pages
WORKDIR /srv/waybill
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY e2e/package.json e2e/
COPY bench/package.json bench/
RUN npm ci --no-audit --no-fund --workspace @waybill/web --workspace @waybill/contract
COPY tsconfig.base.json ./
COPY contract contract
COPY web web
RUN npm run build --workspace @waybill/web

FROM node:24.21.0-bookworm-slim AS server
WORKDIR /srv/waybill
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY e2e/package.json e2e/
COPY bench/package.json bench/
RUN npm ci --no-audit --no-fund --omit=dev --workspace @waybill/server --workspace @waybill/contract \
    && npm cache clean --force
COPY contract/src contract/src
COPY server/src server/src
COPY web/public/locales web/public/locales
COPY --from=pages /srv/waybill/web/dist web/dist
RUN mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production \
    DATA_DIR=/data \
    MALLOC_ARENA_MAX=1 \
    METRICS_HOST=0.0.0.0 \
    METRICS_PORT=9464
VOLUME /data
EXPOSE 3000 9464
# The same check for web and worker processes, which both have this port.
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:9464/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The flags of server/process.json.
CMD ["node", "--max-semi-space-size=16", "--min-semi-space-size=16", "--heap-growing-percent=50", "--liftoff-only", \
     "server/src/main.ts"]
