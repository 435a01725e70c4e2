/// The tables and functions of a log. The first host that connects makes them. A changed function gets a new name.
enum PostgresSchema {
    static let statements = """
        DO $forme$ BEGIN
        -- What is answered is on the disk, whatever the server's other users are content with.
        IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
            PERFORM set_config('synchronous_commit', 'on', false);
        END IF;
        IF to_regprocedure('forme_append_1(text, int[], bigint[], bytea[], bigint)') IS NULL THEN
        PERFORM pg_advisory_xact_lock(\(lock));
        CREATE TABLE IF NOT EXISTS forme_log (
            cluster text, partition int, last bigint NOT NULL, trimmed bigint NOT NULL, bytes bigint NOT NULL,
            PRIMARY KEY (cluster, partition));
        CREATE TABLE IF NOT EXISTS forme_record (
            cluster text, partition int, sequence bigint, record bytea NOT NULL,
            PRIMARY KEY (cluster, partition, sequence));
        ALTER TABLE forme_record ALTER COLUMN record SET STORAGE EXTERNAL;
        CREATE OR REPLACE FUNCTION forme_append_1(
            own text, partitions int[], behind bigint[], records bytea[], quota bigint
        ) RETURNS int[] LANGUAGE plpgsql AS $$
        DECLARE refused int[] := '{}';
        BEGIN
            FOR i IN 1..cardinality(partitions) LOOP
                PERFORM 1 FROM forme_log
                    WHERE cluster = own AND partition = partitions[i] AND last = behind[i] FOR UPDATE;
                IF NOT FOUND THEN refused := refused || partitions[i]; END IF;
            END LOOP;
            IF cardinality(refused) > 0 THEN RETURN refused; END IF;
            IF (SELECT coalesce(sum(bytes), 0) FROM forme_log WHERE cluster = own)
                + (SELECT sum(length(one)) FROM unnest(records) AS r(one)) > quota THEN RETURN '{-1}';
            END IF;
            FOR i IN 1..cardinality(partitions) LOOP
                INSERT INTO forme_record VALUES (own, partitions[i], behind[i] + 1, records[i]);
                UPDATE forme_log SET last = last + 1, bytes = bytes + length(records[i])
                    WHERE cluster = own AND partition = partitions[i];
            END LOOP;
            RETURN refused;
        END $$;
        CREATE OR REPLACE FUNCTION forme_trim_1(own text, which int, place bigint) RETURNS void
        LANGUAGE plpgsql AS $$
        DECLARE upto bigint;
        BEGIN
            SELECT greatest(trimmed, least(place, last)) INTO upto FROM forme_log
                WHERE cluster = own AND partition = which FOR UPDATE;
            WITH gone AS (
                DELETE FROM forme_record WHERE cluster = own AND partition = which AND sequence <= upto
                RETURNING length(record) AS length)
            UPDATE forme_log SET trimmed = upto, bytes = bytes - (SELECT coalesce(sum(length), 0) FROM gone)
                WHERE cluster = own AND partition = which;
        END $$;
        END IF;
        END $forme$;
        """

    /// The number of the advisory lock that is held while they are made.
    private static let lock = 439_904_922_981
}
