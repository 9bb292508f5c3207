"""The chat on the screen: each reader in their own language, by mouse, touch and keyboard."""

import re

import pytest
from layout import elements_covered_by, elements_too_wide, layout_findings
from playwright.sync_api import expect
from table import DESK, PHONE, axe_findings_in_both_schemes, resize
from text_sizes import small_texts

SCRIPT = "<img src=x onerror=\"document.title='broken'\"><script>alert(1)</script>"
RIGHT_TO_LEFT = "مرحبا، كيف الحال؟"  # right to left
STACKED = "Z" + "\u0301" * 100


class People:
    """Ada opens a table for three, Ben sits down and a bot plays; Cleo is a spectator."""

    def __init__(self, person, names=("Ada", "Ben")):
        self.ada, self.ben, self.cleo = (person(), person("ja", PHONE, touch=True), person())
        guests = [table.page.request for table in (self.ada, self.ben, self.cleo)]
        for requests, name in zip(guests, (*names, "Cleo"), strict=True):
            requests.get("/api/me")
            assert requests.put("/api/me", data={"name": name}).ok
        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot"}]
        request = {"game": "petition", "players": 3, "seats": seats}
        self.id = guests[0].post("/api/tables", data=request).json()["id"]
        self.path = f"/api/tables/{self.id}"
        self.ada.page.goto(f"/t/{self.id}")
        expect(self.ada.page.locator(".sheet")).to_be_visible()
        expect(self.ada.page.locator(".tabs button", has_text="Chat")).to_have_count(0)
        assert guests[1].post(f"{self.path}/sit", data={}).ok
        for table in (self.ben, self.cleo):
            table.page.goto(f"/t/{self.id}")
        for table in (self.ada, self.ben, self.cleo):
            expect(table.page.locator(".is-pictured .board > *").first).to_be_visible()

    def send(self, table, **message):
        response = table.page.request.post(f"{self.path}/chat", data=message)
        assert response.ok, response.text()


def write(page, text):
    page.locator(".composer input").fill(text)
    page.locator(".composer input").press("Enter")


def test_two_people_chat(person):
    people = People(person)
    ada, ben, cleo = people.ada.page, people.ben.page, people.cleo.page
    chat_tab = ada.locator(".tabs button", has_text="Chat")
    announced = ada.locator("[role=log][aria-label=Chat] p")

    # by keyboard, from the board to the sent message
    ada.keyboard.press("c")
    expect(ada.locator(".composer input")).to_be_focused()
    expect(ada.locator(".messages")).to_contain_text("No messages yet")
    write(ada, SCRIPT)
    expect(ada.locator(".message.mine p")).to_have_text(SCRIPT)
    expect(ada.locator(".composer input")).to_have_value("")
    expect(announced).to_have_count(0)

    # on a phone: a preview, a mark on the button, and a canned message with one tap
    expect(ben.locator(".passing")).to_contain_text("Ada")
    assert elements_covered_by(ben, ".passing", ".seat, #board, .tools") == []
    expect(ben.locator(".tools .unread")).to_have_text("1新着1件")
    ben.locator(".tools button", has_text="チャット").tap()
    expect(ben.locator(".message p")).to_have_text(SCRIPT)
    expect(ben.locator(".unread")).to_have_count(0)
    expect(ben.locator(".passing")).to_have_count(0)
    ben.get_by_role("button", name="お見事でした！").tap()
    expect(ben.locator(".message.mine p")).to_have_text("お見事でした！")
    expect(ada.locator(".message .canned")).to_have_text("Well played!")
    expect(announced).to_have_text("Ben: Well played!")
    for button in ben.locator(".canned-messages button").all():
        assert button.bounding_box()["y"] > PHONE[1] / 2, "near the thumb"

    # a spectator sees who receives the message; the players do not receive it
    cleo.locator(".tabs button", has_text="Chat").click()
    expect(cleo.locator(".composer")).to_contain_text("the players when the game is over")
    cleo.locator(".composer input").fill("I know better.")
    cleo.locator(".write .button").click()
    expect(cleo.locator(".message.mine p")).to_have_text("I know better.")
    expect(cleo.locator(".composer input")).to_be_focused()

    # right-to-left text, stacked combining characters
    write(ada, RIGHT_TO_LEFT)
    expect(ben.locator(".message p").last).to_have_text(RIGHT_TO_LEFT)
    assert ben.locator(".message p").last.evaluate("p => getComputedStyle(p).direction") == "rtl"
    people.send(people.ben, text=STACKED)
    expect(ada.locator(".message")).to_have_count(4)
    for page in (ada, ben):
        assert page.title() != "broken"
        assert layout_findings(page) == [] and not small_texts(page)
        assert axe_findings_in_both_schemes(page) == []
    people.send(people.ben, text="long" * 125)
    for page in (ada, ben):
        expect(page.locator(".message p").last).to_have_text("long" * 125)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(
            "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.side .scroll'))"
        )

    # unread messages on a desktop, and after a reload
    log_tab = ada.locator(".tabs button", has_text="Log")
    log_tab.click()
    people.send(people.ben, canned_message="moment")
    expect(chat_tab).to_have_text("Chat 11 new")
    expect(ada.locator(".passing")).to_contain_text("A moment, please.")
    ada.reload()
    expect(chat_tab).to_have_text("Chat 11 new")
    expect(announced).to_have_count(0)
    chat_tab.click()
    expect(chat_tab).to_have_text("Chat")
    ada.reload()
    expect(chat_tab).to_have_text("Chat")


def test_a_muted_senders_messages_are_hidden(person):
    people = People(person, ("Ada", "evil"))
    ada, ben = people.ada.page, people.ben.page
    people.send(people.ben, text="Noise one")
    people.send(people.ada, text="Hello")
    ada.locator(".tabs button", has_text="Chat").click()
    ada.get_by_role("button", name="Mute evil").click()
    ada.get_by_role("dialog").get_by_role("button", name="Mute evil").click()
    expect(ada.locator(".message p")).to_have_text("Hello")
    ada.locator(".tabs button", has_text="Log").click()
    people.send(people.ben, text="Noise two")
    people.send(people.ada, text="Still here")
    ada.keyboard.press("c")
    expect(ada.locator(".message p").last).to_have_text("Still here")
    expect(ada.get_by_text("Noise")).to_have_count(0)
    ada.reload()
    expect(ada.locator(".tabs button", has_text="Chat")).to_be_visible()
    ada.keyboard.press("c")
    expect(ada.locator(".message p").last).to_have_text("Still here")
    expect(ada.get_by_text("Noise")).to_have_count(0)
    ben.locator(".tools button", has_text="チャット").tap()
    expect(ben.locator(".message p")).to_have_count(4)
    assert "ミュート中" not in ben.content()
    ada.get_by_role("button", name="Unmute evil").click()
    expect(ada.locator(".message p")).to_have_count(4)


def test_the_host_turns_the_chat_off_and_older_messages_are_loaded(person):
    people = People(person)
    ada, ben = people.ada.page, people.ben.page
    for n in range(60):
        people.send(people.ben, text=f"Word {n}")
    ada.keyboard.press("p")
    ada.keyboard.press("c")
    expect(ada.locator(".message")).to_have_count(60)  # the page was open when they were sent
    expect(ada.locator(".message").last).to_be_in_viewport()
    ada.reload()
    expect(ada.locator(".tabs button", has_text="Chat")).to_be_visible()
    ada.keyboard.press("c")
    expect(ada.locator(".message")).to_have_count(50)
    expect(ada.locator(".message").last).to_be_in_viewport()
    ada.get_by_role("button", name="Earlier messages").click()
    expect(ada.locator(".message p")).to_have_text([f"Word {n}" for n in range(60)])
    assert axe_findings_in_both_schemes(ada) == []
    ada.get_by_role("button", name="Menu").click()
    ada.get_by_role("group", name="Chat at this table").get_by_role("button", name="off").click()
    ada.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(ada.locator(".composer")).to_contain_text("has switched the chat off")
    ben.locator(".tools button", has_text="チャット").tap()
    expect(ben.locator(".composer")).to_contain_text("オフにしています")
    expect(ben.locator(".composer button")).to_have_count(0)
    assert axe_findings_in_both_schemes(ada) == []
    ada.locator(".composer").get_by_role("button", name="on", exact=True).click()
    expect(ben.locator(".composer input")).to_be_visible()


def test_of_many_messages_the_newest_are_loaded(person):
    people = People(person)
    ada = people.ada.page
    for n in range(250):
        people.send(people.ben, text=f"Word {n}")
    ada.keyboard.press("c")
    expect(ada.locator(".message").last).to_have_text(re.compile("Word 249$"))
    messages = ada.locator(".message p")
    assert messages.all_inner_texts() == [f"Word {n}" for n in range(50, 250)]
    ada.get_by_role("button", name="Earlier messages").click()
    expect(messages).to_have_text([f"Word {n}" for n in range(250)])
    people.send(people.ben, text="Word 250")
    expect(messages).to_have_text([f"Word {n}" for n in range(1, 251)])


def test_an_unsent_message_is_kept(person):
    people = People(person)
    ada = people.ada.page
    ada.keyboard.press("c")
    ada.context.set_offline(True)
    write(ada, "Are you there?")
    expect(ada.locator(".note")).to_contain_text("cannot be reached")
    expect(ada.locator(".composer input")).to_have_value("Are you there?")
    ada.context.set_offline(False)
    ada.locator(".composer input").press("Enter")
    expect(ada.locator(".message.mine p")).to_have_text("Are you there?")


def test_a_table_against_bots_alone_has_no_chat(person):
    table = person()
    table.start("petition")
    expect(table.page.locator(".tabs")).to_be_visible()
    table.page.keyboard.press("c")
    assert table.page.get_by_text("Chat").count() == 0


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_canned_message_has_a_text_and_fits(person, language):
    people = People(person)
    reader = person(language, PHONE)
    reader.page.goto(f"/t/{people.id}")
    expect(reader.page.locator(".seats .seat")).to_have_count(3)
    reader.page.keyboard.press("c")
    buttons = reader.page.locator(".canned-messages button")
    expect(buttons).to_have_count(12)
    assert not any("canned-message-" in text for text in buttons.all_inner_texts())
    for size in ((320, 640), PHONE, (740, 360), DESK):
        resize(reader.page, size)
        assert layout_findings(reader.page) == []


def test_long_names_fit_into_dialogs_and_chat(person):
    people = People(person, names=("W" * 24, "W" * 24))
    page = people.ada.page
    people.send(people.ben, text="W" * 500)

    def check():
        for size in (DESK, PHONE):
            resize(page, size)
            assert elements_too_wide(page) == [], size

    page.keyboard.press("c")
    expect(page.locator(".message")).to_be_visible()
    check()
    page.locator(".message .icon-button").click()
    expect(page.locator("dialog h2")).to_contain_text("W" * 24)
    check()
    page.locator("dialog header button").click()
    page.locator(".tools button").last.click()
    expect(page.locator("dialog .button").first).to_be_visible()
    check()
