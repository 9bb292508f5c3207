BEGIN TRANSACTION;
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);
INSERT INTO "alembic_version" VALUES('0017');
CREATE TABLE asset_file (
	hash VARCHAR(16) NOT NULL, 
	path VARCHAR(200) NOT NULL, 
	type VARCHAR(64) NOT NULL, 
	is_compressed INTEGER NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY (hash, path), 
	FOREIGN KEY(hash) REFERENCES asset_version (hash) ON DELETE CASCADE
);
CREATE TABLE asset_version (
	hash VARCHAR(16) NOT NULL, 
	added_at BIGINT NOT NULL, 
	PRIMARY KEY (hash)
);
CREATE TABLE chat_message (
	table_id VARCHAR(12) NOT NULL, 
	from_spectator INTEGER NOT NULL, 
	sent_at BIGINT NOT NULL, 
	guest_id VARCHAR(24) NOT NULL, 
	seat INTEGER, 
	name VARCHAR(24) NOT NULL, 
	canned_message VARCHAR(24), 
	text TEXT, 
	PRIMARY KEY (table_id, from_spectator, sent_at), 
	FOREIGN KEY(table_id) REFERENCES game_table (id) ON DELETE CASCADE
);
INSERT INTO "chat_message" VALUES('pu4xy3fg',0,1795893208418,'7nxJ6v0NElYHA9jh',0,'Ada',NULL,'Good luck');
INSERT INTO "chat_message" VALUES('pu4xy3fg',0,1795893208461,'7nxJ6v0NElYHA9jh',0,'Ada',NULL,'幸運を');
CREATE TABLE clock_pause (
	id INTEGER NOT NULL, 
	table_id VARCHAR(12), 
	seat INTEGER, 
	started_at BIGINT NOT NULL, 
	ended_at BIGINT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(table_id) REFERENCES game_table (id) ON DELETE CASCADE
);
INSERT INTO "clock_pause" VALUES(1,NULL,NULL,1795893208967,NULL);
CREATE TABLE deletion (
	digest VARCHAR(32) NOT NULL, 
	PRIMARY KEY (digest)
);
INSERT INTO "deletion" VALUES('49c8b1f2137d8df6c6bc2851906df957');
CREATE TABLE game_table (
	id VARCHAR(12) NOT NULL, 
	game VARCHAR(64) NOT NULL, 
	version INTEGER NOT NULL, 
	players INTEGER NOT NULL, 
	options TEXT NOT NULL, 
	is_private INTEGER NOT NULL, 
	host VARCHAR(24) NOT NULL, 
	dice_secret VARCHAR(64) NOT NULL, 
	created_at BIGINT NOT NULL, 
	started_at BIGINT, 
	ended_at BIGINT, 
	rematch_id VARCHAR(12), 
	clock VARCHAR(64), 
	next_flag_at BIGINT, 
	chat_muted INTEGER DEFAULT '0' NOT NULL, 
	counted VARCHAR(8) DEFAULT 'entries' NOT NULL, 
	redraws INTEGER DEFAULT '0' NOT NULL, 
	revision INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "game_table" VALUES('pu4xy3fg','sealed_bids',1,2,'{"looks": 0}',0,'7nxJ6v0NElYHA9jh','3d09d11366e1e778eb8da2d2f6a0179991a4fe53a05931a2c6a3b760e1b380cc',1795893208405,1795893208413,1795893208655,NULL,NULL,NULL,0,'events',0,1);
INSERT INTO "game_table" VALUES('7rjzxv3n','sealed_bids',1,3,'{"looks": 0}',0,'7nxJ6v0NElYHA9jh','db5c3b58142b4fb39e071f7bb40e272dc7fd3aa38f1a0904469041c0693805c2',1795893208675,1795893208690,NULL,NULL,'{"days": 3}',1796152408690,0,'events',0,1);
INSERT INTO "game_table" VALUES('g37jafqt','sealed_bids',1,2,'{"looks": 0}',1,'vMeX7Yw-pqOtrMMv','860495b437cfd0889345a64417dd1a6c1ecf633b225d03e57a78bbc955404e11',1795893208780,NULL,NULL,NULL,NULL,NULL,0,'entries',0,0);
CREATE TABLE guest (
	id VARCHAR(24) NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	link_version INTEGER DEFAULT '0' NOT NULL, 
	session_epoch INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "guest" VALUES('7nxJ6v0NElYHA9jh','Ada',0,0);
INSERT INTO "guest" VALUES('vMeX7Yw-pqOtrMMv','Ben',0,1);
INSERT INTO "guest" VALUES('D2QspMQq3XPBY7iW','Cleo',0,0);
CREATE TABLE idempotency_key (
	table_id VARCHAR(12) NOT NULL, 
	guest_id VARCHAR(24) NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	request_body TEXT NOT NULL, 
	journal_length INTEGER NOT NULL, 
	PRIMARY KEY (table_id, guest_id, "key"), 
	FOREIGN KEY(table_id) REFERENCES game_table (id) ON DELETE CASCADE
);
INSERT INTO "idempotency_key" VALUES('pu4xy3fg','7nxJ6v0NElYHA9jh','b448c80c962f3977','[0,7,[6]]',8);
INSERT INTO "idempotency_key" VALUES('pu4xy3fg','7nxJ6v0NElYHA9jh','860ca62b04504599','[0,8,null]',9);
INSERT INTO "idempotency_key" VALUES('pu4xy3fg','7nxJ6v0NElYHA9jh','54f44d9ba974d444','[0,9,[11]]',10);
INSERT INTO "idempotency_key" VALUES('pu4xy3fg','7nxJ6v0NElYHA9jh','20826d32343c2a3d','[0,10,[13]]',11);
INSERT INTO "idempotency_key" VALUES('pu4xy3fg','vMeX7Yw-pqOtrMMv','54d4a0c7a28598a1','[1,8,[10]]',12);
INSERT INTO "idempotency_key" VALUES('pu4xy3fg','vMeX7Yw-pqOtrMMv','f4aac75b29f80015','[1,9,[13]]',13);
INSERT INTO "idempotency_key" VALUES('pu4xy3fg','7nxJ6v0NElYHA9jh','9a952ec268524329','[0,12,[15]]',14);
INSERT INTO "idempotency_key" VALUES('pu4xy3fg','vMeX7Yw-pqOtrMMv','eb0a244225f434ca','[1,11,[14]]',16);
INSERT INTO "idempotency_key" VALUES('pu4xy3fg','7nxJ6v0NElYHA9jh','a865ac4c17748c74','[0,15,[9]]',17);
INSERT INTO "idempotency_key" VALUES('pu4xy3fg','7nxJ6v0NElYHA9jh','e8b25915d7148e7f','[0,16,[13]]',18);
INSERT INTO "idempotency_key" VALUES('pu4xy3fg','vMeX7Yw-pqOtrMMv','d79309df529ca1ae','[1,14,[10]]',19);
INSERT INTO "idempotency_key" VALUES('pu4xy3fg','vMeX7Yw-pqOtrMMv','586ae1996bd5feee','[1,15,[13]]',20);
INSERT INTO "idempotency_key" VALUES('7rjzxv3n','7nxJ6v0NElYHA9jh','fa79a8758ccfd88b','[0,10,[9]]',12);
CREATE TABLE journal (
	table_id VARCHAR(12) NOT NULL, 
	ply INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	move INTEGER NOT NULL, 
	played_at BIGINT NOT NULL, 
	batch INTEGER NOT NULL, 
	undone_count INTEGER NOT NULL, 
	PRIMARY KEY (table_id, ply), 
	FOREIGN KEY(table_id) REFERENCES game_table (id) ON DELETE CASCADE
);
INSERT INTO "journal" VALUES('pu4xy3fg',0,-1,19,1795893208413,0,0);
INSERT INTO "journal" VALUES('pu4xy3fg',1,-1,21,1795893208413,1,0);
INSERT INTO "journal" VALUES('pu4xy3fg',2,-1,16,1795893208413,2,0);
INSERT INTO "journal" VALUES('pu4xy3fg',3,-1,20,1795893208413,3,0);
INSERT INTO "journal" VALUES('pu4xy3fg',4,-1,17,1795893208413,4,0);
INSERT INTO "journal" VALUES('pu4xy3fg',5,-1,20,1795893208413,5,0);
INSERT INTO "journal" VALUES('pu4xy3fg',6,-1,23,1795893208413,6,0);
INSERT INTO "journal" VALUES('pu4xy3fg',7,0,6,1795893208469,7,0);
INSERT INTO "journal" VALUES('pu4xy3fg',8,0,-1,1795893208487,8,1);
INSERT INTO "journal" VALUES('pu4xy3fg',9,0,11,1795893208515,9,0);
INSERT INTO "journal" VALUES('pu4xy3fg',10,0,13,1795893208527,10,0);
INSERT INTO "journal" VALUES('pu4xy3fg',11,1,10,1795893208539,11,0);
INSERT INTO "journal" VALUES('pu4xy3fg',12,1,13,1795893208557,12,0);
INSERT INTO "journal" VALUES('pu4xy3fg',13,0,15,1795893208575,13,0);
INSERT INTO "journal" VALUES('pu4xy3fg',14,1,14,1795893208589,14,0);
INSERT INTO "journal" VALUES('pu4xy3fg',15,-1,24,1795893208589,15,0);
INSERT INTO "journal" VALUES('pu4xy3fg',16,0,9,1795893208611,16,0);
INSERT INTO "journal" VALUES('pu4xy3fg',17,0,13,1795893208623,17,0);
INSERT INTO "journal" VALUES('pu4xy3fg',18,1,10,1795893208635,18,0);
INSERT INTO "journal" VALUES('pu4xy3fg',19,1,13,1795893208655,19,0);
INSERT INTO "journal" VALUES('7rjzxv3n',0,-1,20,1795893208690,0,0);
INSERT INTO "journal" VALUES('7rjzxv3n',1,-1,19,1795893208690,1,0);
INSERT INTO "journal" VALUES('7rjzxv3n',2,-1,21,1795893208690,2,0);
INSERT INTO "journal" VALUES('7rjzxv3n',3,-1,20,1795893208690,3,0);
INSERT INTO "journal" VALUES('7rjzxv3n',4,-1,22,1795893208690,4,0);
INSERT INTO "journal" VALUES('7rjzxv3n',5,-1,17,1795893208690,5,0);
INSERT INTO "journal" VALUES('7rjzxv3n',6,-1,18,1795893208690,6,0);
INSERT INTO "journal" VALUES('7rjzxv3n',7,-1,16,1795893208690,7,0);
INSERT INTO "journal" VALUES('7rjzxv3n',8,-1,19,1795893208690,8,0);
INSERT INTO "journal" VALUES('7rjzxv3n',9,-1,24,1795893208690,9,0);
INSERT INTO "journal" VALUES('7rjzxv3n',10,2,8,1795893208696,10,0);
INSERT INTO "journal" VALUES('7rjzxv3n',11,0,9,1795893208766,11,0);
INSERT INTO "journal" VALUES('7rjzxv3n',12,2,13,1795893208777,12,0);
CREATE TABLE notification_setting (
	guest_id VARCHAR(24) NOT NULL, 
	language VARCHAR(2) NOT NULL, 
	email VARCHAR(254), 
	email_confirmed INTEGER NOT NULL, 
	webhook_url VARCHAR(500), 
	webhook_format VARCHAR(8) NOT NULL, 
	webhook_disabled INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (guest_id)
);
INSERT INTO "notification_setting" VALUES('7nxJ6v0NElYHA9jh','ja',NULL,0,'http://127.0.0.1:44035/topic','slack',0);
CREATE TABLE pending_notification (
	table_id VARCHAR(12) NOT NULL, 
	guest_id VARCHAR(24) NOT NULL, 
	is_sent INTEGER NOT NULL, 
	PRIMARY KEY (table_id, guest_id), 
	FOREIGN KEY(table_id) REFERENCES game_table (id) ON DELETE CASCADE
);
INSERT INTO "pending_notification" VALUES('7rjzxv3n','7nxJ6v0NElYHA9jh',1);
CREATE TABLE result (
	table_id VARCHAR(12) NOT NULL, 
	seat INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	points INTEGER, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES game_table (id) ON DELETE CASCADE
);
INSERT INTO "result" VALUES('pu4xy3fg',0,2,NULL);
INSERT INTO "result" VALUES('pu4xy3fg',1,1,NULL);
CREATE TABLE review (
	table_id VARCHAR(12) NOT NULL, 
	format_version INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES game_table (id) ON DELETE CASCADE
);
CREATE TABLE seat (
	table_id VARCHAR(12) NOT NULL, 
	seat INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	guest_id VARCHAR(24), 
	name VARCHAR(24) NOT NULL, 
	bot VARCHAR(24), 
	substitute_bot VARCHAR(24), 
	nonce VARCHAR(64) NOT NULL, 
	pledge VARCHAR(64), 
	transfer_count INTEGER NOT NULL, 
	help_consent INTEGER DEFAULT '0' NOT NULL, 
	colour VARCHAR(8), 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES game_table (id) ON DELETE CASCADE
);
INSERT INTO "seat" VALUES('pu4xy3fg',0,'person','7nxJ6v0NElYHA9jh','Ada',NULL,NULL,'',NULL,0,0,NULL);
INSERT INTO "seat" VALUES('pu4xy3fg',1,'person','vMeX7Yw-pqOtrMMv','Ben',NULL,NULL,'',NULL,0,0,NULL);
INSERT INTO "seat" VALUES('7rjzxv3n',0,'person','7nxJ6v0NElYHA9jh','Ada',NULL,NULL,'',NULL,0,1,NULL);
INSERT INTO "seat" VALUES('7rjzxv3n',1,'person','D2QspMQq3XPBY7iW','Cleo',NULL,NULL,'',NULL,0,0,NULL);
INSERT INTO "seat" VALUES('7rjzxv3n',2,'bot',NULL,'','random',NULL,'',NULL,0,0,NULL);
INSERT INTO "seat" VALUES('g37jafqt',0,'person','vMeX7Yw-pqOtrMMv','Ben',NULL,NULL,'',NULL,0,0,NULL);
INSERT INTO "seat" VALUES('g37jafqt',1,'open',NULL,'',NULL,NULL,'',NULL,0,0,NULL);
CREATE TABLE setting (
	name VARCHAR(40) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "setting" VALUES('signing-key','c87be7482789259d4e5250c256b399f6310e25809d239b06ec84e0731662d75f');
CREATE INDEX game_table_ended_at ON game_table (ended_at);
CREATE INDEX game_table_next_flag_at ON game_table (next_flag_at);
CREATE INDEX seat_guest_id ON seat (guest_id);
CREATE INDEX clock_pause_table ON clock_pause (table_id);
COMMIT;
